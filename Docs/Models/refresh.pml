/*
 * The protocol of a refresh: two processes of one user with several tasks each, one stored record, and one server that
 * rotates refresh tokens.
 *
 * The steps have the names of the code's steps: join, lock, reread, adopt, journal, send, replay, check, merge, write
 * and publish; after a refusal, refused and end; keepSaving repeats a failed write, and restore starts a process.
 * Docs/Models/README.md defines the properties, and lists the abstractions with their reasons.
 *
 * The switches TASKS to TARGETS set the scope. ONLY_<PROPERTY> checks one property alone. REACH_<SITUATION> searches
 * for a situation that must be reachable. NO_LOCK, NO_FENCE and others leave a step out; Docs/Models/check lists them.
 */

/* ---- Scope ------------------------------------------------------------------------------------------------------ */

#ifndef TASKS
#define TASKS 1             /* the number of tasks of each process that ask for a newer token, over all its lives */
#endif
#ifndef CRASHES
#define CRASHES 1           /* the number of crashes */
#endif
#ifndef SIGN_OUTS
#define SIGN_OUTS 0         /* the number of sign-outs: 0 or 1 */
#endif
#ifndef SIGN_INS
#define SIGN_INS 0          /* the number of sign-ins: 0 or 1 */
#endif
#ifndef SERVER_ENDS
#define SERVER_ENDS 0       /* the number of times that an administrator or another device ends the family */
#endif
#ifndef WRITE_FAILURES
#define WRITE_FAILURES 0    /* the number of failed writes of new tokens, after the journal was written */
#endif
#ifndef STORE_FAILURES
#define STORE_FAILURES 0    /* the number of failed reads of the store and failed writes of the journal */
#endif
#ifndef SUSPENSIONS
#define SUSPENSIONS 0       /* the number of times that the machine sleeps for longer than the grace window */
#endif

#ifndef CLOCK_STEPS
#define CLOCK_STEPS 0       /* the number of times that the wall clock is set */
#endif

#ifndef ROTATIONS
#define ROTATIONS 2         /* the maximum number of rotations of a family; 3 at most */
#endif

#ifndef TARGETS
#define TARGETS 1           /* the number of APIs whose access token a task may want: the session's own, and another */
#endif

#define PROCESSES 2
#ifdef JOIN_DROPPED
#define FLIGHTS 3           /* the first process may have a second refresh beside its first */
#else
#define FLIGHTS 2
#endif
#define P(i) ((i) % 2)      /* the process of a refresh */

/* ---- Properties ------------------------------------------------------------------------------------------------- */

/* Each property is the LTL formula [] !flag. A violation raises the flag. */
bool second_use_outside_grace;  /* a refresh token reached the server again and ended a living family */
bool published_after_sign_out;  /* tokens of a session were shown or stored after its sign-out */
bool rotated_token_lost;        /* the server rotated, and no process can receive the new token any more */
bool ended_by_accident;         /* a session ended here although neither the user nor the server ended it */
bool stuck;                     /* no step is possible while a task waits, the lock is held or a step is half done */
bool refreshed_without_need;    /* a token was refreshed that no task had asked to replace */
bool dropped_token_alive;       /* tokens were dropped, and the server was not notified */
bool taken_for_another_api;     /* an access token for one API was taken for another's */

#if !defined(ONLY_GRACE) && !defined(ONLY_SIGN_OUT) && !defined(ONLY_LOST) && !defined(ONLY_ACCIDENT) \
    && !defined(ONLY_STUCK) && !defined(ONLY_NEED) && !defined(ONLY_DROPPED) && !defined(ONLY_TARGET) \
    && !defined(ONLY_REACH)
#define ALL
#endif
#define BROKEN(flag) flag = true; assert(!flag)
#if defined(ALL) || defined(ONLY_GRACE)
#define GRACE(holds)    if :: !(holds) -> BROKEN(second_use_outside_grace) :: else fi
#else
#define GRACE(holds)    skip
#endif
#if defined(ALL) || defined(ONLY_SIGN_OUT)
#define SIGN_OUT(holds) if :: !(holds) -> BROKEN(published_after_sign_out) :: else fi
#else
#define SIGN_OUT(holds) skip
#endif
#if defined(ALL) || defined(ONLY_LOST)
#define LOST(holds)     if :: !(holds) -> BROKEN(rotated_token_lost) :: else fi
#else
#define LOST(holds)     skip
#endif
#if defined(ALL) || defined(ONLY_ACCIDENT)
#define ACCIDENT(holds) if :: !(holds) -> BROKEN(ended_by_accident) :: else fi
#else
#define ACCIDENT(holds) skip
#endif
#if defined(ALL) || defined(ONLY_STUCK)
#define STUCK(holds)    if :: !(holds) -> BROKEN(stuck) :: else fi
#else
#define STUCK(holds)    skip
#endif
#if defined(ALL) || defined(ONLY_NEED)
#define NEED(holds)     if :: !(holds) -> BROKEN(refreshed_without_need) :: else fi
#else
#define NEED(holds)     skip
#endif
#if defined(ALL) || defined(ONLY_DROPPED)
#define DROPPED(holds)  if :: !(holds) -> BROKEN(dropped_token_alive) :: else fi
#else
#define DROPPED(holds)  skip
#endif

#if defined(ALL) || defined(ONLY_TARGET)
#define TARGET(holds)   if :: !(holds) -> BROKEN(taken_for_another_api) :: else fi
#else
#define TARGET(holds)   skip
#endif

/* The flag of a situation that the search must reach. Without it, a property could hold because nothing happens. */
bool found;
#define REACHED found = true; assert(!found)

/* ---- Tokens and the server -------------------------------------------------------------------------------------- */

/* A token is a family (1: the first session, 2: a later sign-in) and the number of its rotations. 0 means no token. */
#define TOKEN(family, rotation) (((family) << 2) | (rotation))
#define FAMILY(t) ((t) >> 2)
#define ROTATION(t) ((t) & 3)
#define NEXT(t) ((t) + 1)   /* the token in the response to t, which is repeated within the grace window */

/* The states of a request. */
#define UNSENT 0            /* no request, or its response was read */
#define SENT 1              /* the request is in transit */
#define ISSUED 2            /* a response with new tokens is in transit */
#define REFUSED 3           /* a refusal is in transit */
#define NO_RESPONSE 4       /* the connection broke, or no response came in time */

bool alive[3];              /* whether the server accepts the family; the index is the family */
byte rotation[3];           /* the number of the family's rotations */
bool grace[3];              /* whether the window is open in which the previous token gets the same response again */
byte served;                /* the server's last response; 0 between steps */
bit issuedFor[3];           /* the API that the family's last response is for, also if it is repeated */
short strays;               /* a bit set of tokens: requests in transit whose sender no longer waits */

#define LATEST(f) TOKEN(f, rotation[f])
#define PREVIOUS(f) TOKEN(f, rotation[f] - 1)
#define ADD_STRAY(t) strays = strays | (1 << (t))

/* Responds to a refresh for an API, like FamilyStore.rotate of the reference backend. A repeated response is for the API
   of the first request. */
inline serve(t, api) {
    if
    :: !alive[FAMILY(t)] -> served = REFUSED
    :: alive[FAMILY(t)] && t == LATEST(FAMILY(t)) ->
        rotation[FAMILY(t)]++; grace[FAMILY(t)] = true; issuedFor[FAMILY(t)] = api; served = ISSUED
    :: alive[FAMILY(t)] && t == PREVIOUS(FAMILY(t)) && grace[FAMILY(t)] -> served = ISSUED
    :: else ->
        alive[FAMILY(t)] = false; served = REFUSED;
        GRACE(endedOnPurpose[FAMILY(t)] || excused)
    fi
}

/* Ends the family of a token, by a logout or a revocation. An outdated token ends nothing. */
inline revoke(t) {
    if
    :: alive[FAMILY(t)] && (t == LATEST(FAMILY(t)) || (t == PREVIOUS(FAMILY(t)) && grace[FAMILY(t)])) ->
        alive[FAMILY(t)] = false; grace[FAMILY(t)] = false
    :: else
    fi
}

/* Revokes a token, or fails because the server can't be reached. */
inline tryRevoke(t) {
    if
    :: revoke(t)
    :: revocationFailed = true
    fi
}

/* ---- The store and the lock ------------------------------------------------------------------------------------- */

byte stored;                /* the record's token; 0 if there is no item */
bool journal;               /* whether the record says that a refresh of its token has begun */
bit journalTarget;          /* the API that this refresh was begun for */
bool reuseHoldOff;          /* whether the record forbids a refresh for now: its token came from a repeated request */
bool clockSet;              /* whether the wall clock was set since the record, with its times, was written */
byte lock;                  /* the refresh that holds the lock, plus one; 0: free; 9: a dead process */

/* ---- Processes and refreshes ------------------------------------------------------------------------------------ */

mtype = { idle, lock_, reread, adopt, journal_, send, await, check, write, publish, publishUnsaved,
    refused, adoptOrEnd, end_ };
byte signOut;                        /* the phase: 0 not begun, 1 epoch raised, 2 record removed, 3 done */
byte signOutProcess, signOutToken;   /* the process that signs out, and the newest known token of its session */
byte signIn;                         /* the phase: 0 not begun, 1 in memory, 2 written, 3 done, 4 not in scope */
byte signInProcess, signInReplaced;  /* the process that signs in, and the token that it replaces */

bool up[PROCESSES] = true;      /* whether the process runs */
byte current[PROCESSES];        /* the token in memory, as published; 0 if the user is signed out */
bool unsaved[PROCESSES];        /* whether this token is only in memory, because a write failed */
byte tasks[PROCESSES] = TASKS;  /* the number of tasks that have not asked yet */

mtype at[FLIGHTS] = idle;      /* the next step */
bool outdated[FLIGHTS];        /* whether the process's epoch was raised since the refresh began */
byte rejected[FLIGHTS];        /* the token that the waiting tasks want replaced */
byte waiting[FLIGHTS];         /* the number of tasks that wait for the result */
byte seen[FLIGHTS];            /* the token that was last read from the store */
bool seenJournal[FLIGHTS];     /* whether its journal was open */
byte token[FLIGHTS];           /* the token that is being refreshed */
bit wants[FLIGHTS];            /* the API that the waiting tasks want a token for */
bit seenTarget[FLIGHTS];       /* the API in the journal that was last read from the store */
bit asks[FLIGHTS];             /* the API that the requests name */
byte first[FLIGHTS];           /* the state of the request */
byte replay[FLIGHTS];          /* the state of its replay */
bool pastReplay[FLIGHTS];      /* whether the window since the send may be over, by a clock that counts sleep */
byte response[FLIGHTS];        /* the new token: received and not stored yet */
bool repeated[FLIGHTS];        /* whether an earlier request with the same token may still be in transit */
bool handlesJournal[FLIGHTS];  /* whether the refresh knows of an open journal and handles it */

/* The number of faults that are left. */
byte crashes = CRASHES;
byte serverEnds = SERVER_ENDS;
byte writeFailures = WRITE_FAILURES;
byte storeFailures = STORE_FAILURES;
byte suspensions = SUSPENSIONS;
byte clockSteps = CLOCK_STEPS;

/* ---- State of the properties alone ------------------------------------------------------------------------------ */

bool endedOnPurpose[3];            /* whether the user or the server ended the family, or its sign-in was not written */
byte signedOutOf[PROCESSES];       /* a bit set of the families that the user signed out of since the process started */
bool removed[3];                   /* whether a sign-out removed the family from the store */
bool abandonedJournal[PROCESSES];  /* whether the process knew of an open journal and stopped handling it */
bool unknown;                      /* whether a refresh ended without any response, or because the store failed */
bool excused;                      /* whether a token was lost that no client could have saved: see README */
bool revocationFailed;             /* whether the server could not be notified of the end of a session */

byte k;                     /* a loop counter; 0 between steps */

#define EVERY_PROCESS_UP (up[0] && up[1])
#ifdef JOIN_DROPPED
#define NO_JOURNAL_HANDLED (!handlesJournal[0] && !handlesJournal[1] && !handlesJournal[2])
#define NO_REQUEST_SENT \
    (first[0] != SENT && replay[0] != SENT && first[1] != SENT && replay[1] != SENT \
        && first[2] != SENT && replay[2] != SENT)
#else
#define NO_JOURNAL_HANDLED (!handlesJournal[0] && !handlesJournal[1])
#define NO_REQUEST_SENT (first[0] != SENT && replay[0] != SENT && first[1] != SENT && replay[1] != SENT)
#endif

/* Whether the latest token of a family is in a refresh or on its way there, only in a memory, or anywhere. */
#define IN_REFRESH(i, f) (up[P(i)] && (response[i] == LATEST(f) \
    || (at[i] == await && token[i] == PREVIOUS(f) && (first[i] == ISSUED || replay[i] == ISSUED))))
#define IN_MEMORY(p, f) (up[p] && unsaved[p] && current[p] == LATEST(f))
#ifdef JOIN_DROPPED
#define IN_ANY_REFRESH(f) (IN_REFRESH(0, f) || IN_REFRESH(1, f) || IN_REFRESH(2, f))
#else
#define IN_ANY_REFRESH(f) (IN_REFRESH(0, f) || IN_REFRESH(1, f))
#endif
#define HAS_COPY(f) (stored == LATEST(f) || IN_ANY_REFRESH(f) || IN_MEMORY(0, f) || IN_MEMORY(1, f))

/* ---- Parts of steps --------------------------------------------------------------------------------------------- */

/* Raises the epoch: refreshes in progress in the process are outdated. */
inline raiseEpoch(p) {
    k = 0;
    do
    :: k < FLIGHTS && P(k) == p && at[k] != idle -> outdated[k] = true; k++
    :: k < FLIGHTS && !(P(k) == p && at[k] != idle) -> k++
    :: k == FLIGHTS -> break
    od;
    k = 0
}

/* Gives up the requests of a refresh. They may still arrive. */
inline giveUpRequests(i) {
    if
    :: first[i] == SENT || replay[i] == SENT -> ADD_STRAY(token[i])
    :: else
    fi;
    first[i] = UNSENT; replay[i] = UNSENT
}

#ifdef UNLOCK_UNSAVED
#define KEEPS_LOCK(p) false
#else
#define KEEPS_LOCK(p) unsaved[p]  /* a process with tokens that the store lacks keeps the lock */
#endif

/* Ends a refresh: all waiting tasks have its result. Releases the lock, unless tokens are only in memory. */
inline finish(i) {
    giveUpRequests(i);
    at[i] = idle; outdated[i] = false; rejected[i] = 0; waiting[i] = 0; seen[i] = 0; seenJournal[i] = false;
    wants[i] = 0; seenTarget[i] = 0; asks[i] = 0;
    token[i] = 0; pastReplay[i] = false; response[i] = 0; repeated[i] = false; handlesJournal[i] = false;
    if
    :: lock == i + 1 && !(KEEPS_LOCK(P(i))) -> lock = 0
    :: else
    fi
}

/* Ends a refresh whose outcome is unknown. The journal stays open, and the next attempt sends the same request. */
inline finishUnknown(i) {
    if :: handlesJournal[i] -> unknown = true :: else fi;
    finish(i)
}

/* Revokes tokens that will not be used. */
inline revokeUnused(t) {
#ifndef NO_REVOKE
    tryRevoke(t)
#else
    skip
#endif
}

/* Ends the session in a process: the store holds no session any more, or the server refused it. */
inline endSession(p, f) {
    ACCIDENT(endedOnPurpose[f] || excused);
    current[p] = 0;
    raiseEpoch(p)
}

/* Publishes a token in a process. */
inline setCurrent(p, t) {
    SIGN_OUT(!(signedOutOf[p] & (1 << FAMILY(t))));
    current[p] = t
}

/* Writes the record, or removes it if the token is 0. */
inline writeRecord(t, isJournaled, holdsOff) {
    SIGN_OUT(t == 0 || !removed[FAMILY(t)]);
    stored = t; journal = isJournaled; reuseHoldOff = holdsOff; journalTarget = 0; clockSet = false
}

#ifdef NO_FENCE
#define FENCED(i) false
#else
#define FENCED(i) outdated[i]
#endif
#if defined(NO_REUSE_HOLD_OFF)
#define REUSE_HOLD_OFF false
#elif defined(HOLD_OFF_BY_WALL_CLOCK)
#define REUSE_HOLD_OFF (reuseHoldOff && !clockSet)
#else
#define REUSE_HOLD_OFF reuseHoldOff
#endif
/* Whether a journal in the store looks as old as it is. The clock of the machine's start says so, and can't be set. */
#ifdef JOURNAL_BY_WALL_CLOCK
#define AGE_IS_KNOWN (!clockSet)
#else
#define AGE_IS_KNOWN true
#endif
#ifdef NO_JOURNAL
#define JOURNALED(t) (stored == t)
#else
#define JOURNALED(t) (stored == t && journal)
#endif

#ifdef REACH_DROP
byte signedOutInFlight;     /* the refresh, plus one, during whose request the user signed out in its process */
#endif
#ifdef REACH_SURVIVAL
byte survived;              /* the token whose refresh lost its process between the server's rotation and the write */
#endif

/* ---- join ------------------------------------------------------------------------------------------------------- */

/* Joins the refresh of a process or begins one, for a task that wants another token than its last one, for an API. */
inline join(p, api) {
    if
    :: at[p] == idle && !unsaved[p] -> at[p] = lock_; rejected[p] = current[p]; waiting[p]++; tasks[p]--;
        wants[p] = api
#ifdef JOIN_DROPPED
    :: p == 0 && at[0] != idle && at[2] == idle && !unsaved[0] ->
        at[2] = lock_; rejected[2] = current[0]; waiting[2]++; tasks[0]--
#else
    :: at[p] != idle && !outdated[p] && wants[p] == api ->
        waiting[p]++; tasks[p]--
#ifdef REACH_JOIN
        ; REACHED
#endif
#endif
    fi
}
#ifdef JOIN_DROPPED
#define CAN_JOIN(p, api) (!unsaved[p] && (at[p] == idle || ((p) == 0 && at[2] == idle)))
#else
#define CAN_JOIN(p, api) ((at[p] == idle && !unsaved[p]) || (at[p] != idle && !outdated[p] && wants[p] == (api)))
#endif
/* Whether a sign-in is not written yet: the store is older than the memory. */
#define SIGNING_IN(p) (signIn == 1 && signInProcess == p)

/* Cancels a waiting task. The refresh continues, even if no other task waits. */
inline leave(i) {
    waiting[i]--;
#ifdef WAITER_CANCEL_CANCELS
    if
    :: waiting[i] == 0 -> if :: handlesJournal[i] -> abandonedJournal[P(i)] = true :: else fi; finish(i)
    :: else
    fi
#endif
}

#ifdef REPLAY_AFTER_GRACE
#define IS_PAST_REPLAY(i) false
#else
#define IS_PAST_REPLAY(i) pastReplay[i]
#endif

/* ---- A process and its refresh ---------------------------------------------------------------------------------- */

proctype refresh(byte i) {
end:
    do

    /* restore: a process starts and reads the store. It continues at once a refresh that an earlier process began. */
    :: d_step { i < PROCESSES && !up[P(i)] ->
        up[P(i)] = true; current[P(i)] = stored;
#ifdef REACH_CLOCK_STEP
        if :: journal && clockSet -> REACHED :: else fi;
#endif
        if
#ifndef NO_PROMPT_RESTART
        :: journal && AGE_IS_KNOWN -> at[i] = lock_; rejected[i] = stored; handlesJournal[i] = true
#endif
        :: else
        fi }

    /* join, and the cancellation of a waiting task. */
#define MAY_JOIN(i, api) (i < PROCESSES && up[P(i)] && current[P(i)] != 0 && ROTATION(current[P(i)]) < ROTATIONS && \
        tasks[P(i)] > 0 && !SIGNING_IN(P(i)) && CAN_JOIN(P(i), api))
    :: d_step { MAY_JOIN(i, 0) -> join(P(i), 0) }
#if TARGETS > 1
    :: d_step { MAY_JOIN(i, 1) -> join(P(i), 1) }
#endif
    :: d_step { waiting[i] > 0 -> leave(i) }

    /* lock: a bounded wait. A refresh that knows of an open journal continues to wait. */
#ifdef NO_LOCK
    :: d_step { at[i] == lock_ -> at[i] = reread }
#else
    :: d_step { at[i] == lock_ && lock == 0 -> lock = i + 1; at[i] = reread }
    :: d_step { at[i] == lock_ && lock != 0 && !handlesJournal[i] -> finish(i) }
#endif

    /* reread: reads the store. */
    :: d_step { at[i] == reread ->
#ifdef NO_REREAD
        seen[i] = current[P(i)]; seenJournal[i] = journal && stored == current[P(i)];
#else
        seen[i] = stored; seenJournal[i] = journal;
#endif
        seenTarget[i] = journalTarget; at[i] = adopt }
    :: d_step { at[i] == reread && storeFailures > 0 -> storeFailures--;
#ifdef UNAVAILABLE_IS_ABSENT
        seen[i] = 0; seenJournal[i] = false; at[i] = adopt
#else
        finishUnknown(i)
#endif
        }

    /* adopt: the user signed out elsewhere, another process wrote other tokens, or this process refreshes. */
    :: d_step { at[i] == adopt ->
        if
        :: FENCED(i) -> finish(i)
        :: !FENCED(i) && seen[i] == 0 -> endSession(P(i), FAMILY(current[P(i)])); finish(i)
        :: !FENCED(i) && seen[i] != 0 && seen[i] != current[P(i)] ->
            setCurrent(P(i), seen[i]);
#ifdef REACH_ADOPT_SIGN_IN
            if :: FAMILY(seen[i]) == 2 -> REACHED :: else fi;
#endif
#ifdef REACH_TAKE_OVER
            if :: seenJournal[i] -> REACHED :: else fi;
#endif
#ifdef REACH_ADOPT
            REACHED;
#endif
            if
#ifdef IGNORE_FOREIGN_JOURNAL
            :: seenJournal[i] -> abandonedJournal[P(i)] = true; finish(i)
#else
            :: seenJournal[i] && AGE_IS_KNOWN ->
                token[i] = seen[i]; handlesJournal[i] = true; repeated[i] = true; at[i] = journal_
#endif
            :: else -> finish(i)
            fi
        :: else ->
            token[i] = seen[i]; handlesJournal[i] = seenJournal[i]; repeated[i] = seenJournal[i]; at[i] = journal_
        fi }

    /* journal: records that a refresh of this token has begun, if the record is still the one that was read. An open
       journal names the API of the earlier request, which is sent again as it was. */
    :: d_step { at[i] == journal_ ->
        asks[i] = wants[i];
#ifndef REPLAY_OTHER_TARGET
        if :: seenJournal[i] -> asks[i] = seenTarget[i] :: else fi;
#endif
        if
        :: REUSE_HOLD_OFF ->
#ifdef REACH_REUSE_HOLD_OFF
            REACHED;
#endif
            finish(i)
        :: else ->
#ifdef NO_JOURNAL
            handlesJournal[i] = true; at[i] = send
#else
            if
#if defined(NO_COMPARE_JOURNAL) || defined(NO_REREAD)
            :: true -> writeRecord(seen[i], true, false); journalTarget = asks[i]; handlesJournal[i] = true; at[i] = send
#else
            :: stored == seen[i] && journal == seenJournal[i] ->
                writeRecord(seen[i], true, false); journalTarget = asks[i]; handlesJournal[i] = true; at[i] = send
            :: else ->
#ifdef REACH_JOURNAL_RACE
                REACHED;
#endif
                at[i] = reread
#endif
            fi
#endif
        fi }
    :: d_step { at[i] == journal_ && storeFailures > 0 -> storeFailures--;
#ifdef SEND_UNJOURNALED
        handlesJournal[i] = true; at[i] = send
#else
        finishUnknown(i)
#endif
        }

    /* send. */
    :: d_step { at[i] == send ->
        if
        :: FENCED(i) -> finish(i)
        :: else ->
            NEED(token[i] == rejected[i] || seenJournal[i] || wants[i] != 0);
            first[i] = SENT; at[i] = await
        fi }

    /* replay, after silence or a broken connection: within the grace window, and in the same epoch. */
#ifndef NO_REPLAY
    :: d_step { at[i] == await && replay[i] == UNSENT && !outdated[i] && !(IS_PAST_REPLAY(i)) ->
        replay[i] = SENT; repeated[i] = true }
#endif
    /* New tokens in either response count. */
    :: d_step { at[i] == await && (first[i] == ISSUED || replay[i] == ISSUED) ->
#ifdef REACH_REPLAY
        if
        :: first[i] == NO_RESPONSE && replay[i] == ISSUED && rotation[FAMILY(token[i])] == ROTATION(token[i]) + 1 ->
            REACHED
        :: else
        fi;
#endif
        TARGET(issuedFor[FAMILY(token[i])] == asks[i] || rotation[FAMILY(token[i])] != ROTATION(token[i]) + 1);
        response[i] = NEXT(token[i]); giveUpRequests(i); at[i] = check }
    /* A refusal counts once no other response is awaited. (If the refused request was the earlier one, for another API,
       the code sends that of the tasks before it ends the session: a server may refuse the API. This one does not.) */
    :: d_step { at[i] == await && (first[i] == REFUSED || replay[i] == REFUSED) &&
        first[i] != SENT && first[i] != ISSUED && replay[i] != SENT && replay[i] != ISSUED ->
        first[i] = UNSENT; replay[i] = UNSENT; at[i] = refused }
    /* No response came, and no replay is possible: the outcome is unknown, and the journal stays open. */
    :: d_step { at[i] == await && first[i] == NO_RESPONSE &&
        (replay[i] == NO_RESPONSE || (replay[i] == UNSENT && (pastReplay[i] || outdated[i]))) ->
#ifdef REACH_UNKNOWN
        REACHED;
#endif
        finishUnknown(i) }
#ifdef NO_REPLAY
    :: d_step { at[i] == await && first[i] == NO_RESPONSE -> finish(i) }
#endif

    /* check and merge: no access to shared state. */
    :: atomic { at[i] == check ->
        if
#ifdef REVOKE_AT_FENCE
        :: FENCED(i) -> revokeUnused(response[i]); finish(i)
#endif
        :: else -> at[i] = write
        fi }

    /* write: only if the record is still the journaled one. */
    :: atomic { at[i] == write ->
        if
#ifdef NO_COMPARE_WRITE
        :: true ->
#else
        :: JOURNALED(token[i]) ->
#endif
#ifdef REACH_REFRESH
            REACHED;
#endif
#ifdef REACH_SURVIVAL
            if :: survived == token[i] -> REACHED :: else fi;
#endif
            writeRecord(response[i], false, repeated[i]); unknown = false; at[i] = publish
#ifndef NO_COMPARE_WRITE
        :: !(JOURNALED(token[i])) && stored == 0 ->
            /* The user signed out, here or elsewhere. */
#ifdef REACH_DROP
            if :: signedOutInFlight == i + 1 && outdated[i] -> REACHED :: else fi;
#endif
#ifdef REACH_DROP_ELSEWHERE
            if :: !outdated[i] -> REACHED :: else fi;
#endif
            revokeUnused(response[i]);
            if :: !FENCED(i) -> endSession(P(i), FAMILY(token[i])) :: else fi;
            finish(i)
        :: !(JOURNALED(token[i])) && stored != 0 ->
            /* Another sign-in replaced the record: its tokens are read. Tokens of the stored family are not revoked. */
            if :: FAMILY(stored) != FAMILY(token[i]) -> revokeUnused(response[i]) :: else fi;
            response[i] = 0; token[i] = 0; repeated[i] = false; handlesJournal[i] = false; at[i] = reread
#endif
        fi }
    :: d_step { at[i] == write && writeFailures > 0 -> writeFailures--; at[i] = publishUnsaved }

    /* publish: only in the epoch in which the refresh began. Tokens in the store are not revoked here: the process
       that removes them from the store revokes them. */
    :: atomic { at[i] == publish ->
        if
        :: FENCED(i) ->
#ifdef REACH_FENCE
            REACHED;
#endif
#ifdef REVOKE_AT_FENCE
            revokeUnused(response[i]);
#endif
            finish(i)
        :: else -> setCurrent(P(i), response[i]);
            if
            /* The replay has brought another API's token: the refresh that the tasks want follows. */
            :: asks[i] != wants[i] && ROTATION(current[P(i)]) < ROTATIONS ->
#ifdef REACH_OTHER_TARGET
                REACHED;
#endif
                rejected[i] = current[P(i)]; response[i] = 0; token[i] = 0; repeated[i] = false;
                handlesJournal[i] = false; at[i] = reread
            :: else -> finish(i)
            fi
        fi }
    /* publish, after a failed write: the tokens stay in memory. */
    :: atomic { at[i] == publishUnsaved ->
        if
        :: FENCED(i) -> revokeUnused(response[i]); finish(i)
        :: else -> setCurrent(P(i), response[i]); unsaved[P(i)] = true; finish(i)
        fi }

    /* keepSaving: repeats the failed write if the record is still the journaled one; otherwise the store decides. */
    :: atomic { up[P(i)] && at[i] == idle && unsaved[P(i)] && (lock == i + 1 || !(KEEPS_LOCK(P(i)))) ->
        unsaved[P(i)] = false;
        if
        :: stored == current[P(i)] - 1 && journal ->
#ifdef REACH_KEEP
            REACHED;
#endif
            writeRecord(current[P(i)], false, true); unknown = false
        :: stored == 0 -> revokeUnused(current[P(i)]); endSession(P(i), FAMILY(current[P(i)]))
        :: else ->
            if :: FAMILY(stored) != FAMILY(current[P(i)]) -> revokeUnused(current[P(i)]) :: else fi;
            setCurrent(P(i), stored)
        fi;
        if :: lock == i + 1 -> lock = 0 :: else fi }

    /* refused: reads the store once more. */
    :: d_step { at[i] == refused ->
#ifdef NO_REREAD_AFTER_REFUSAL
        seen[i] = token[i]; seenJournal[i] = true;
#else
        seen[i] = stored; seenJournal[i] = journal;
#endif
        at[i] = adoptOrEnd }
    :: d_step { at[i] == refused && storeFailures > 0 -> storeFailures--; finishUnknown(i) }
    :: d_step { at[i] == adoptOrEnd ->
        if
        :: FENCED(i) -> finish(i)
        :: !FENCED(i) && seen[i] == 0 -> endSession(P(i), FAMILY(current[P(i)])); finish(i)
        :: !FENCED(i) && seen[i] != 0 && seen[i] != token[i] ->
#ifdef REACH_ADOPT_REFUSED
            REACHED;
#endif
            setCurrent(P(i), seen[i]); finish(i)
        :: else -> at[i] = end_
        fi }
    /* end: ends the session. Removes the record if it is still the journaled one; otherwise it is read again. */
    :: d_step { at[i] == end_ ->
        if
        :: FENCED(i) -> finish(i)
#if defined(NO_COMPARE_END)
        :: else ->
#elif defined(NO_REREAD_AFTER_REFUSAL)
        :: !FENCED(i) && !(JOURNALED(token[i])) ->
            ACCIDENT(stored == 0 || endedOnPurpose[FAMILY(stored)] || excused); finish(i)
        :: !FENCED(i) && JOURNALED(token[i]) ->
#else
        :: !FENCED(i) && !(JOURNALED(token[i])) -> at[i] = refused
        :: !FENCED(i) && JOURNALED(token[i]) ->
#endif
#ifdef REACH_END
            REACHED;
#endif
            ACCIDENT(stored == 0 || endedOnPurpose[FAMILY(stored)] || excused);
            writeRecord(0, false, false); endSession(P(i), FAMILY(token[i])); finish(i)
        fi }
    od
}

/* ---- The network and the server --------------------------------------------------------------------------------- */

/* Excuses the loss of a family's last copy after its window: no client could have saved it. If the family was ended on
   purpose, only its revocation has failed. */
inline excuseLostToken(f) {
    if
    :: alive[f] && !grace[f] && !HAS_COPY(f) && !endedOnPurpose[f] -> excused = true
    :: alive[f] && !grace[f] && !HAS_COPY(f) && endedOnPurpose[f] -> revocationFailed = true
    :: else
    fi
}

proctype network(byte i) {
end:
    do
    :: d_step { first[i] == SENT -> serve(token[i], asks[i]); first[i] = served; served = 0 }
    :: d_step { replay[i] == SENT -> serve(token[i], asks[i]); replay[i] = served; served = 0 }
    /* The request is lost, or it is still in transit after its sender has given up. */
    :: d_step { first[i] == SENT -> first[i] = NO_RESPONSE }
    :: d_step { replay[i] == SENT -> replay[i] = NO_RESPONSE }
    :: d_step { first[i] == SENT -> ADD_STRAY(token[i]); first[i] = NO_RESPONSE }
    :: d_step { replay[i] == SENT -> ADD_STRAY(token[i]); replay[i] = NO_RESPONSE }
    /* The response is lost. */
    :: d_step { first[i] == ISSUED || first[i] == REFUSED ->
        first[i] = NO_RESPONSE; excuseLostToken(FAMILY(token[i])) }
    :: d_step { replay[i] == ISSUED || replay[i] == REFUSED ->
        replay[i] = NO_RESPONSE; excuseLostToken(FAMILY(token[i])) }
    od
}

/* Requests whose sender no longer waits. They are lost, or served, even twice; serving without an effect is no step. */
#define IS_STRAY(t) ((strays & (1 << (t))) != 0)
#define HAS_EFFECT(t) (alive[FAMILY(t)] && !(t == PREVIOUS(FAMILY(t)) && grace[FAMILY(t)]))
proctype strayRequest(byte t) {
end:
    do
    /* Nobody reads the response to a stray request; a later replay names the same API. */
    :: d_step { IS_STRAY(t) && HAS_EFFECT(t) -> serve(t, journalTarget); served = 0 }
    :: d_step { IS_STRAY(t) -> strays = strays & ~(1 << (t)) }
    od
}

/* An administrator or another device ends the family. */
proctype administrator() {
end:
    do
    :: d_step { serverEnds > 0 && alive[1] ->
        serverEnds--; alive[1] = false; grace[1] = false; endedOnPurpose[1] = true }
    od
}

/* ---- Time ------------------------------------------------------------------------------------------------------- */

/* Closes the grace window of a family. A token that no process can receive any more is lost. The loss is excused only
   if no client could have prevented it. */
inline closeWindow(f, isExcusable) {
    if
    :: alive[f] && grace[f] && !HAS_COPY(f) ->
        if
        :: endedOnPurpose[f] -> revocationFailed = true
        :: !endedOnPurpose[f] && (unknown || isExcusable) -> excused = true
        :: else -> LOST(false)
        fi
    :: else
    fi;
    grace[f] = false
}

proctype clock() {
end:
    do
    /* The window closes. Processes are prompt: it does not close while a process is down, a refresh handles an open
       journal, a sign-in is being written or a request is in transit. */
    :: d_step { (grace[1] || grace[2] || reuseHoldOff) && strays == 0 && NO_REQUEST_SENT && NO_JOURNAL_HANDLED &&
        EVERY_PROCESS_UP && signIn != 1 ->
        closeWindow(1, false); closeWindow(2, false); reuseHoldOff = false }
    /* The machine sleeps, or a dead process stays away: the window closes even during that work. */
    :: d_step { suspensions > 0 && (grace[1] || grace[2] || reuseHoldOff) && strays == 0 && NO_REQUEST_SENT ->
        suspensions--;
        closeWindow(1, !abandonedJournal[0] && !abandonedJournal[1]);
        closeWindow(2, !abandonedJournal[0] && !abandonedJournal[1]);
        reuseHoldOff = false;
        k = 0;
        do
        :: k < FLIGHTS -> if :: at[k] == await -> pastReplay[k] = true :: else fi; k++
        :: k == FLIGHTS -> break
        od;
        k = 0 }
    /* The wall clock is set. No server and no process in memory notices. */
    :: d_step { clockSteps > 0 -> clockSteps--; clockSet = true }
    od
}

/* ---- A crash ---------------------------------------------------------------------------------------------------- */

/* Ends a life of a process: its memory is gone, and its lock is free. Its requests may still arrive. */
inline crash(p) {
    crashes--;
#ifdef REACH_SURVIVAL
    if
    :: alive[1] && grace[1] && stored == PREVIOUS(1) && !endedOnPurpose[1] && token[p] == stored -> survived = stored
    :: else
    fi;
#endif
    up[p] = false; current[p] = 0; unsaved[p] = false; signedOutOf[p] = 0; abandonedJournal[p] = false;
    k = 0;
    do
    :: k < FLIGHTS ->
        if
        :: P(k) == p ->
            if
            :: response[k] != 0 || first[k] == ISSUED || replay[k] == ISSUED ->
                revocationFailed = revocationFailed || endedOnPurpose[FAMILY(token[k])]
            :: else
            fi;
#ifdef LOCK_OUTLIVES_HOLDER
            if :: lock == k + 1 -> lock = 9 :: else fi;
#else
            if :: lock == k + 1 -> lock = 0 :: else fi;
#endif
            finish(k)
        :: else
        fi;
        k++
    :: k == FLIGHTS -> break
    od;
    k = 0;
    /* The process may have had the only copy in memory while the machine slept, or while it could not write. */
    excuseLostToken(1);
    if :: signIn == 3 -> excuseLostToken(2) :: else fi;
    if :: signOutProcess == p && (signOut == 1 || signOut == 2) -> signOut = 3; revocationFailed = true :: else fi;
    if
    :: signInProcess == p && signIn == 1 -> signIn = 3; endedOnPurpose[2] = true; revocationFailed = true
    :: signInProcess == p && signIn == 2 -> signIn = 3; revocationFailed = true
    :: else
    fi
}

/* A crash of either process, at any time. */
proctype crashing() {
end:
    do
    :: d_step { crashes > 0 && up[0] -> crash(0) }
    :: d_step { crashes > 0 && up[1] -> crash(1) }
    od
}

/* ---- The user --------------------------------------------------------------------------------------------------- */

/* Drops tokens that are only in memory, because their session ends. */
inline dropUnsaved(p) {
    if
    :: unsaved[p] ->
        unsaved[p] = false;
        if :: lock != 0 && lock != 9 && P(lock - 1) == p && at[lock - 1] == idle -> lock = 0 :: else fi
    :: else
    fi
}

/* The newer of two tokens, if they are of one family; otherwise a, or b if a is 0. */
#define NEWER(a, b) (((a) != 0 && (FAMILY(a) != FAMILY(b) || (a) > (b))) -> (a) : (b))

/* Begins a sign-out, without the lock. It raises the epoch; then the record is removed and the server notified. */
inline beginSignOut(p) {
    signOut = 1; signOutProcess = p; signOutToken = current[p];
    endedOnPurpose[FAMILY(current[p])] = true; signedOutOf[p] = signedOutOf[p] | (1 << FAMILY(current[p]));
    dropUnsaved(p); current[p] = 0; raiseEpoch(p)
#ifdef REACH_DROP
    ; if :: at[p] == await -> signedOutInFlight = p + 1 :: else fi
#endif
}

proctype userSignsOut() {
end:
    do
    :: d_step { signOut == 0 && up[0] && current[0] != 0 -> beginSignOut(0) }
    :: d_step { signOut == 0 && up[1] && current[1] != 0 -> beginSignOut(1) }
    /* A process changes the store in the order of its requests: a sign-in that is being written comes first. */
    :: d_step { signOut == 1 && !SIGNING_IN(signOutProcess) ->
        if
#if defined(SIGN_OUT_REMOVES_ANY)
        :: stored != 0 ->
#elif defined(SIGN_OUT_COMPARES_ONCE)
        :: stored == signOutToken ->
#else
        /* The record of this sign-in, even if it was refreshed since; not the record of a later sign-in. */
        :: stored != 0 && FAMILY(stored) == FAMILY(signOutToken) ->
#endif
            ACCIDENT(endedOnPurpose[FAMILY(stored)] || excused);
#ifndef TELL_HELD_ONLY
            signOutToken = NEWER(signOutToken, stored);
#endif
            writeRecord(0, false, false)
        :: else
        fi;
        removed[FAMILY(signOutToken)] = true;
        SIGN_OUT(stored == 0 || !removed[FAMILY(stored)]);
        signOut = 2 }
    :: atomic { signOut == 2 -> tryRevoke(signOutToken); signOut = 3; signOutToken = 0 }
    od
}

/* Begins a sign-in, even if a user is signed in. It raises the epoch; then the record is written, and the tokens
   that it replaces are revoked. */
inline beginSignIn(p) {
    signIn = 1; signInProcess = p; alive[2] = true;
    if :: unsaved[p] -> signInReplaced = current[p] :: else fi;
    dropUnsaved(p); raiseEpoch(p); setCurrent(p, TOKEN(2, 0))
}

proctype userSignsIn() {
end:
    do
    :: d_step { signIn == 0 && up[0] -> beginSignIn(0) }
    :: d_step { signIn == 0 && up[1] -> beginSignIn(1) }
    :: d_step { signIn == 1 ->
        if
#ifdef FENCED_SIGN_IN
        :: FAMILY(current[signInProcess]) != 2 -> signInReplaced = TOKEN(2, 0)
#endif
        /* This applies even if the user has signed out meanwhile: the removal follows, and finds this record. */
        :: else ->
            signInReplaced = NEWER(signInReplaced, stored);
            writeRecord(TOKEN(2, 0), false, false); endedOnPurpose[1] = true
        fi;
        signIn = 2 }
    :: atomic { signIn == 2 ->
        if :: signInReplaced != 0 -> tryRevoke(signInReplaced) :: else fi;
        signIn = 3; signInReplaced = 0 }
    od
}

/* ---- The end ---------------------------------------------------------------------------------------------------- */

#define END_EXPECTED(f) (endedOnPurpose[f] || excused)
#ifdef JOIN_DROPPED
#define ALL_IDLE (at[0] == idle && at[1] == idle && at[2] == idle)
#define NO_TASK_WAITS (waiting[0] == 0 && waiting[1] == 0 && waiting[2] == 0)
#else
#define ALL_IDLE (at[0] == idle && at[1] == idle)
#define NO_TASK_WAITS (waiting[0] == 0 && waiting[1] == 0)
#endif

/* Checks the properties once no other step is possible. */
proctype atRest() {
end:
    timeout ->
    d_step {
        STUCK(ALL_IDLE && NO_TASK_WAITS && lock == 0 && EVERY_PROCESS_UP && !unsaved[0] && !unsaved[1]);
        /* A session that was not ended is in the store, with the server's latest token, and in both processes. */
        LOST(END_EXPECTED(1) || unknown || (alive[1] && stored == LATEST(1)));
        LOST(signIn != 3 || END_EXPECTED(2) || unknown || (alive[2] && stored == LATEST(2)));
        ACCIDENT(END_EXPECTED(1) || (current[0] != 0 && current[1] != 0));
        ACCIDENT(signIn != 3 || END_EXPECTED(2) || (FAMILY(stored) == 2 && FAMILY(current[signInProcess]) == 2));
        SIGN_OUT(stored == 0 || !removed[FAMILY(stored)]);
        DROPPED(!alive[1] || FAMILY(stored) == 1 || revocationFailed || excused || unknown);
        DROPPED(!alive[2] || FAMILY(stored) == 2 || revocationFailed || excused || unknown)
    }
}

init {
    d_step {
        alive[1] = true; endedOnPurpose[0] = true;
        stored = TOKEN(1, 0); current[0] = stored; current[1] = stored;
        if :: SIGN_OUTS == 0 -> signOut = 3 :: else fi;
        if :: SIGN_INS == 0 -> signIn = 4 :: else fi
    }
    atomic {
        run refresh(0); run refresh(1); run network(0); run network(1);
#ifdef JOIN_DROPPED
        run refresh(2); run network(2);
#endif
        run strayRequest(TOKEN(1, 0)); run strayRequest(TOKEN(1, 1));
#if SIGN_INS > 0
        run strayRequest(TOKEN(2, 0)); run strayRequest(TOKEN(2, 1)); run userSignsIn();
#endif
#if SIGN_OUTS > 0
        run userSignsOut();
#endif
#if SERVER_ENDS > 0
        run administrator();
#endif
        run clock(); run crashing(); run atRest()
    }
}
