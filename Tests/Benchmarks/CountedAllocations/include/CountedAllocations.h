// SPDX-License-Identifier: Apache-2.0

#pragma once

/// How often this process has asked for memory; 0 where that is not counted.
long counted_allocations(void);
