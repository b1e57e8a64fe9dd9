"""The licence of a package, read from the files of its checkout."""
import re

APACHE = "Apache-2.0"
APACHE_WITH_EXCEPTION = "Apache-2.0 WITH Swift-exception"


def licence(folder):
    """The SPDX expression of the licence in a folder, or ValueError if it is none of those that are known."""
    files = sorted(path for path in folder.iterdir() if re.fullmatch(r"LICEN[CS]E(\.txt|\.md)?", path.name))
    if len(files) != 1:
        raise ValueError(f"{folder} has {len(files)} licence files")
    text = " ".join(files[0].read_text(encoding="utf-8").split())
    if text.startswith("Apache License Version 2.0, January 2004"):
        return APACHE_WITH_EXCEPTION if "Runtime Library Exception" in text else APACHE
    if "Permission is hereby granted, free of charge, to any person obtaining a copy of this software" in text:
        return "MIT"
    raise ValueError(f"the licence of {folder} is not known")
