/*
 * The way of a refresh: two processes of one user, several tasks each, one stored record, one server that rotates.
 *
 * The steps carry the names of the code's steps: join, lock, reread, journal, send, replay, check, merge, write,
 * publish; beside them refused and end (the server said no), keep (an unsaved token is written), restore (a process
 * starts). Docs/Models/README.md says what is left out and why, and how each property is meant.
 *
 * Switches. Scope: TASKS, CRASHES, SIGN_OUTS, SIGN_INS, REVOCATIONS, WRITE_FAILURES, STORE_FAILURES, SUSPENSIONS.
 * One property alone: ONLY_<PROPERTY>. A situation that must be reachable: REACH_<SITUATION>. A step left out:
 * NO_LOCK, NO_FENCE, ... (Docs/Models/check --mutations knows them all).
 */

/* ---- Scope ------------------------------------------------------------------------------------------------------ */

#ifndef TASKS
#define TASKS 1             /* tasks of each process that ask for a newer token, over its lives */
#endif
#ifndef CRASHES
#define CRASHES 1
#endif
#ifndef SIGN_OUTS
#define SIGN_OUTS 0
#endif
#ifndef SIGN_INS
#define SIGN_INS 0
#endif
#ifndef REVOCATIONS
#define REVOCATIONS 0       /* the server's owner, or another device, ends the family */
#endif
#ifndef WRITE_FAILURES
#define WRITE_FAILURES 0    /* the journal could be written, the new tokens can't */
#endif
#ifndef STORE_FAILURES
#define STORE_FAILURES 0    /* the store can't be read, or the journal can't be written */
#endif
#ifndef SUSPENSIONS
#define SUSPENSIONS 0       /* the machine sleeps for longer than the grace window */
#endif

#ifndef ROTATIONS
#define ROTATIONS 2         /* how often a family's token may be rotated; at most 3 */
#endif

#define PROCESSES 2
#ifdef JOIN_DROPPED
#define FLIGHTS 3           /* the first process may have a second refresh beside its first */
#else
#define FLIGHTS 2
#endif
#define P(i) ((i) % 2)      /* the process that a refresh belongs to */

/* ---- Properties ------------------------------------------------------------------------------------------------- */

/* Each is the LTL formula [] !name: the flag of that name is raised where the property is broken. */
bool second_use_outside_grace;  /* a refresh token reached the server again and ended a family nobody had ended */
bool published_after_sign_out;  /* tokens shown or stored of a session that had been signed out of */
bool rotated_token_lost;        /* the server rotated, and nobody can learn the new token any more */
bool ended_by_accident;         /* a process says "signed out" though neither user nor server ended the session */
bool stuck;                     /* no step is possible, and somebody waits, holds the lock, or is half-way */
bool refreshed_without_need;    /* a token was refreshed that nobody had asked to replace */
bool dropped_token_alive;       /* tokens were dropped and the server was not notified */

#if !defined(ONLY_GRACE) && !defined(ONLY_SIGN_OUT) && !defined(ONLY_LOST) && !defined(ONLY_ACCIDENT) \
    && !defined(ONLY_STUCK) && !defined(ONLY_NEED) && !defined(ONLY_DROPPED) && !defined(ONLY_REACH)
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

/* A situation that the search must find, lest a property hold only because nothing happens. */
bool found;
#define REACHED found = true; assert(!found)

/* ---- Tokens and the server -------------------------------------------------------------------------------------- */

/* A token is a family (1: the session at the start, 2: another sign-in) and how often it was rotated. 0 is none. */
#define TOKEN(family, number) (((family) << 2) | (number))
#define FAMILY(t) ((t) >> 2)
#define NUMBER(t) ((t) & 3)
#define NEXT(t) ((t) + 1)   /* the response to t, the first time and again within the grace window */

/* What a request, or its response, is. */
#define NONE 0
#define SENT 1              /* a request on its way */
#define ANSWERED 2          /* new tokens on their way back */
#define REFUSED 3           /* a refusal on its way back */
#define NO_ANSWER 4         /* the connection broke, or nothing was heard for too long */


bool alive[3];              /* index: family */
byte current[3];            /* the number of the family's token */
bool grace[3];              /* the window is open in which the previous token gets the same response again */
byte served;                /* what the server responded last; not kept */
short floating;             /* a bit a token: requests on their way whose sender waits no more */

#define CURRENT(f) TOKEN(f, current[f])
#define PREVIOUS(f) TOKEN(f, current[f] - 1)
#define FLOAT(t) floating = floating | (1 << (t))

/* FamilyStore.rotate. */
inline serve(t) {
    if
    :: !alive[FAMILY(t)] -> served = REFUSED
    :: alive[FAMILY(t)] && t == CURRENT(FAMILY(t)) ->
        current[FAMILY(t)]++; grace[FAMILY(t)] = true; served = ANSWERED
    :: alive[FAMILY(t)] && t == PREVIOUS(FAMILY(t)) && grace[FAMILY(t)] -> served = ANSWERED
    :: else ->
        alive[FAMILY(t)] = false; served = REFUSED;
        GRACE(over[FAMILY(t)] || excused)
    fi
}

/* A logout or a revocation; best effort. A server need not know a token that is outdated: then nothing ends. */
inline tell(t) {
    if
    :: alive[FAMILY(t)] && (t == CURRENT(FAMILY(t)) || (t == PREVIOUS(FAMILY(t)) && grace[FAMILY(t)])) ->
        alive[FAMILY(t)] = false; grace[FAMILY(t)] = false
    :: else
    fi
}
inline tellOrNot(t) {
    if
    :: tell(t)
    :: unrevoked = true
    fi
}

/* ---- The store, the lock ---------------------------------------------------------------------------------------- */

byte stored;                /* the record's token; 0 where the item is absent */
bool journal;               /* the record says that a refresh of its token has begun */
bool reuseHoldOff;               /* the record says that its token came by a repeated request, and when: no next one yet */
byte lock;                  /* the refresh that holds it, plus one; 0: free */

/* ---- Processes and refreshes ------------------------------------------------------------------------------------ */

mtype = { idle, lock_, reread, adopt, journal_, send, await, check, write, publish, publishUnsaved,
    refused, adoptOrEnd, end_ };
byte signOut;               /* 0: not yet, 1: the generation is raised, 2: the record is removed, 3: done */
byte signOutAt, signOutToken;
byte signIn;                /* 0: not yet, 1: in memory, 2: written, 3: done, 4: never */
byte signInAt, signInReplaces;

bool up[PROCESSES] = true;
byte current[PROCESSES];       /* the tokens in memory, as published; 0: signed out */
bool unsaved[PROCESSES];    /* they are not in the store yet */
byte tasks[PROCESSES] = TASKS;

mtype at[FLIGHTS] = idle;   /* the step that comes next */
bool moved[FLIGHTS];        /* the process's generation is no longer the one in which the refresh began */
byte asked[FLIGHTS];        /* the token that somebody wants replaced */
byte waiting[FLIGHTS];      /* tasks that wait for the result */
byte seen[FLIGHTS];         /* what the store was last read to hold */
bool seenJournal[FLIGHTS];
byte token[FLIGHTS];        /* the token that is being refreshed */
byte first[FLIGHTS];        /* the request */
byte again[FLIGHTS];        /* the same once more */
bool late[FLIGHTS];         /* by a clock that counts sleep, the window may have passed since the request was sent */
byte response[FLIGHTS];       /* new tokens in the hand, not stored yet */
bool repeated[FLIGHTS];     /* an earlier request of the same token may still be on its way */

/* What the environment has still in store. */
byte crashes = CRASHES;
byte revocations = REVOCATIONS;
byte writeFailures = WRITE_FAILURES;
byte storeFailures = STORE_FAILURES;
byte suspensions = SUSPENSIONS;

/* ---- What only the properties look at --------------------------------------------------------------------------- */

bool over[3];               /* the user or the server's owner ended the family */
byte outOf[PROCESSES];      /* a bit a family: the user signed out of it in this life of the process */
bool removed[3];            /* a sign-out took the family out of the store */
bool due[FLIGHTS];          /* the refresh knows of an open journal and is at work on it */
bool neglected[PROCESSES];  /* the process knew of an open journal and went away from it */
bool unknown;               /* a refresh ended with no response to any of its requests, or with a store that failed it */
bool excused;               /* a token was lost that no client could have saved: see README */
bool unrevoked;                /* the server could not be notified of something that ended */

byte k;                     /* loops; not kept */

#define EVERY_PROCESS_UP (up[0] && up[1])
#ifdef JOIN_DROPPED
#define NOBODY_DUE (!due[0] && !due[1] && !due[2])
#define NOTHING_SENT \
    (first[0] != SENT && again[0] != SENT && first[1] != SENT && again[1] != SENT && first[2] != SENT && again[2] != SENT)
#else
#define NOBODY_DUE (!due[0] && !due[1])
#define NOTHING_SENT (first[0] != SENT && again[0] != SENT && first[1] != SENT && again[1] != SENT)
#endif

/* Whether the current token of family 1 or 2 is in somebody's hand, or on its way there. */
#define IN_HAND(i, f) (up[P(i)] && (response[i] == CURRENT(f) \
    || (at[i] == await && token[i] == PREVIOUS(f) && (first[i] == ANSWERED || again[i] == ANSWERED))))
#define IN_MEMORY(p, f) (up[p] && unsaved[p] && current[p] == CURRENT(f))
#ifdef JOIN_DROPPED
#define IN_SOME_HAND(f) (IN_HAND(0, f) || IN_HAND(1, f) || IN_HAND(2, f))
#else
#define IN_SOME_HAND(f) (IN_HAND(0, f) || IN_HAND(1, f))
#endif
#define KEPT(f) (stored == CURRENT(f) || IN_SOME_HAND(f) || IN_MEMORY(0, f) || IN_MEMORY(1, f))

/* ---- Parts of steps --------------------------------------------------------------------------------------------- */

/* The generation is raised: what is under way in the process changes nothing any more. */
inline raiseEpoch(p) {
    k = 0;
    do
    :: k < FLIGHTS && P(k) == p && at[k] != idle -> moved[k] = true; k++
    :: k < FLIGHTS && !(P(k) == p && at[k] != idle) -> k++
    :: k == FLIGHTS -> break
    od;
    k = 0
}

/* A request that is given up may still arrive. */
inline giveUpRequests(i) {
    if
    :: first[i] == SENT || again[i] == SENT -> FLOAT(token[i])
    :: else
    fi;
    first[i] = NONE; again[i] = NONE
}

#ifdef UNLOCK_UNSAVED
#define KEEPS_LOCK(p) false
#else
#define KEEPS_LOCK(p) unsaved[p]    /* who holds tokens that the store lacks holds the lock until it has them */
#endif

/* The refresh is over; all who wait have its result, and the lock is free. */
inline finish(i) {
    giveUpRequests(i);
    at[i] = idle; moved[i] = false; asked[i] = 0; waiting[i] = 0; seen[i] = 0; seenJournal[i] = false;
    token[i] = 0; late[i] = false; response[i] = 0; repeated[i] = false; due[i] = false;
    if
    :: lock == i + 1 && !(KEEPS_LOCK(P(i))) -> lock = 0
    :: else
    fi
}

/* It could not learn what became of the refresh. The journal stays open, and the next attempt sends the same again. */
inline finishUnknown(i) {
    if :: due[i] -> unknown = true :: else fi;
    finish(i)
}

/* Tokens that nobody will use are given back. */
inline revokeUnused(t) {
#ifndef NO_REVOKE
    tellOrNot(t)
#else
    skip
#endif
}

/* The process finds its session gone, from the store or by the server's word. */
inline endHere(p, f) {
    ACCIDENT(over[f] || excused);
    current[p] = 0;
    raiseEpoch(p)
}

inline present(p, t) {
    SIGN_OUT(!(outOf[p] & (1 << FAMILY(t))));
    current[p] = t
}

inline store(t, isJournaled, isCooling) {
    SIGN_OUT(t == 0 || !removed[FAMILY(t)]);
    stored = t; journal = isJournaled; reuseHoldOff = isCooling
}

#ifdef NO_FENCE
#define FENCED(i) false
#else
#define FENCED(i) moved[i]
#endif
#ifdef NO_REUSE_HOLD_OFF
#define REUSE_HOLD_OFF false
#else
#define REUSE_HOLD_OFF reuseHoldOff
#endif
#ifdef NO_JOURNAL
#define JOURNALED(t) (stored == t)
#else
#define JOURNALED(t) (stored == t && journal)
#endif

#ifdef REACH_DROP
byte signedOutInFlight;     /* the refresh, plus one, during whose request the user signed out of its process */
#endif
#ifdef REACH_SURVIVAL
byte survived;              /* the token whose refresh lost its process between the server's rotation and the write */
#endif

/* ---- join ------------------------------------------------------------------------------------------------------- */

/* A task wants another token than the one it was given: it joins the refresh, or begins it. */
inline join(p) {
    if
    :: at[p] == idle && !unsaved[p] -> at[p] = lock_; asked[p] = current[p]; waiting[p]++; tasks[p]--
#ifdef JOIN_DROPPED
    :: p == 0 && at[0] != idle && at[2] == idle && !unsaved[0] ->
        at[2] = lock_; asked[2] = current[0]; waiting[2]++; tasks[0]--
#else
    :: at[p] != idle && !moved[p] ->
        waiting[p]++; tasks[p]--
#ifdef REACH_JOIN
        ; REACHED
#endif
#endif
    fi
}
#ifdef JOIN_DROPPED
#define CAN_JOIN(p) (!unsaved[p] && (at[p] == idle || ((p) == 0 && at[2] == idle)))
#else
#define CAN_JOIN(p) ((at[p] == idle && !unsaved[p]) || (at[p] != idle && !moved[p]))
#endif
/* Until a sign-in is written the store is older than the memory. */
#define SIGNING_IN(p) (signIn == 1 && signInAt == p)

/* A task is cancelled: it leaves. The refresh goes on, also where it was the last. */
inline leave(i) {
    waiting[i]--;
#ifdef WAITER_CANCEL_CANCELS
    if
    :: waiting[i] == 0 -> if :: due[i] -> neglected[P(i)] = true :: else fi; finish(i)
    :: else
    fi
#endif
}

#ifdef REPLAY_AFTER_GRACE
#define IS_LATE(i) false
#else
#define IS_LATE(i) late[i]
#endif

/* ---- A process, and the refresh it runs ------------------------------------------------------------------------- */

proctype refresh(byte i) {
end:
    do

    /* restore: the process starts and reads the store. A refresh that had begun is gone on with at once. */
    :: d_step { i < PROCESSES && !up[P(i)] ->
        up[P(i)] = true; current[P(i)] = stored;
        if
#ifndef NO_PROMPT_RESTART
        :: journal -> at[i] = lock_; asked[i] = stored; due[i] = true
#endif
        :: else
        fi }

    /* join */
    :: d_step { i < PROCESSES && up[P(i)] && current[P(i)] != 0 && NUMBER(current[P(i)]) < ROTATIONS && tasks[P(i)] > 0 &&
        !SIGNING_IN(P(i)) && CAN_JOIN(P(i)) -> join(P(i)) }
    :: d_step { waiting[i] > 0 -> leave(i) }

    /* lock: a bounded wait. Who knows of an open journal waits on behind it. */
#ifdef NO_LOCK
    :: d_step { at[i] == lock_ -> at[i] = reread }
#else
    :: d_step { at[i] == lock_ && lock == 0 -> lock = i + 1; at[i] = reread }
    :: d_step { at[i] == lock_ && lock != 0 && !due[i] -> finish(i) }
#endif

    /* reread: what the store holds now. */
    :: d_step { at[i] == reread ->
#ifdef NO_REREAD
        seen[i] = current[P(i)]; seenJournal[i] = journal && stored == current[P(i)];
#else
        seen[i] = stored; seenJournal[i] = journal;
#endif
        at[i] = adopt }
    :: d_step { at[i] == reread && storeFailures > 0 -> storeFailures--;
#ifdef UNAVAILABLE_IS_ABSENT
        seen[i] = 0; seenJournal[i] = false; at[i] = adopt
#else
        finishUnknown(i)
#endif
        }

    /* reread, back in the process: signed out elsewhere, refreshed elsewhere, or to be refreshed here. */
    :: d_step { at[i] == adopt ->
        if
        :: FENCED(i) -> finish(i)
        :: !FENCED(i) && seen[i] == 0 -> endHere(P(i), FAMILY(current[P(i)])); finish(i)
        :: !FENCED(i) && seen[i] != 0 && seen[i] != current[P(i)] ->
            present(P(i), seen[i]);
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
            :: seenJournal[i] -> neglected[P(i)] = true; finish(i)
#else
            :: seenJournal[i] -> token[i] = seen[i]; due[i] = true; repeated[i] = true; at[i] = journal_
#endif
            :: else -> finish(i)
            fi
        :: else ->
            token[i] = seen[i]; due[i] = seenJournal[i]; repeated[i] = seenJournal[i]; at[i] = journal_
        fi }

    /* journal: "a refresh of this generation has begun", where the record is still the one that was read. */
    :: d_step { at[i] == journal_ ->
        if
        :: REUSE_HOLD_OFF ->
#ifdef REACH_REUSE_HOLD_OFF
            REACHED;
#endif
            finish(i)
        :: else ->
#ifdef NO_JOURNAL
            due[i] = true; at[i] = send
#else
            if
#if defined(NO_COMPARE_JOURNAL) || defined(NO_REREAD)
            :: true -> store(seen[i], true, false); due[i] = true; at[i] = send
#else
            :: stored == seen[i] && journal == seenJournal[i] -> store(seen[i], true, false); due[i] = true; at[i] = send
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
        due[i] = true; at[i] = send
#else
        finishUnknown(i)
#endif
        }

    /* send */
    :: d_step { at[i] == send ->
        if
        :: FENCED(i) -> finish(i)
        :: else ->
            NEED(token[i] == asked[i] || seenJournal[i]);
            first[i] = SENT; at[i] = await
        fi }

    /* replay: nothing is heard, or the connection broke; within the grace window, and for a session that is still there. */
#ifndef NO_REPLAY
    :: d_step { at[i] == await && again[i] == NONE && !moved[i] && !(IS_LATE(i)) -> again[i] = SENT; repeated[i] = true }
#endif
    /* New tokens in either response count. */
    :: d_step { at[i] == await && (first[i] == ANSWERED || again[i] == ANSWERED) ->
#ifdef REACH_REPLAY
        if :: first[i] == NO_ANSWER && again[i] == ANSWERED && current[FAMILY(token[i])] == NUMBER(token[i]) + 1 -> REACHED
           :: else fi;
#endif
        response[i] = NEXT(token[i]); giveUpRequests(i); at[i] = check }
    /* A refusal counts once no response is awaited any more. */
    :: d_step { at[i] == await && (first[i] == REFUSED || again[i] == REFUSED) &&
        first[i] != SENT && first[i] != ANSWERED && again[i] != SENT && again[i] != ANSWERED ->
        first[i] = NONE; again[i] = NONE; at[i] = refused }
    /* No response, and no time or reason to ask again: the outcome is unknown, the journal stays open. */
    :: d_step { at[i] == await && first[i] == NO_ANSWER && (again[i] == NO_ANSWER || (again[i] == NONE && (late[i] || moved[i]))) ->
#ifdef REACH_UNKNOWN
        REACHED;
#endif
        finishUnknown(i) }
#ifdef NO_REPLAY
    :: d_step { at[i] == await && first[i] == NO_ANSWER -> finish(i) }
#endif

    /* check, merge: nothing is shared here. */
    :: atomic { at[i] == check ->
        if
#ifdef REVOKE_AT_FENCE
        :: FENCED(i) -> revokeUnused(response[i]); finish(i)
#endif
        :: else -> at[i] = write
        fi }

    /* write: where the record is still the journaled one. */
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
            store(response[i], false, repeated[i]); unknown = false; at[i] = publish
#ifndef NO_COMPARE_WRITE
        :: !(JOURNALED(token[i])) && stored == 0 ->
            /* Signed out, here or elsewhere. */
#ifdef REACH_DROP
            if :: signedOutInFlight == i + 1 && moved[i] -> REACHED :: else fi;
#endif
#ifdef REACH_DROP_ELSEWHERE
            if :: !moved[i] -> REACHED :: else fi;
#endif
            revokeUnused(response[i]);
            if :: !FENCED(i) -> endHere(P(i), FAMILY(token[i])) :: else fi;
            finish(i)
        :: !(JOURNALED(token[i])) && stored != 0 ->
            /* Another sign-in took its place: its tokens are read. Tokens of the same family are never given back. */
            if :: FAMILY(stored) != FAMILY(token[i]) -> revokeUnused(response[i]) :: else fi;
            response[i] = 0; token[i] = 0; repeated[i] = false; due[i] = false; at[i] = reread
#endif
        fi }
    :: d_step { at[i] == write && writeFailures > 0 -> writeFailures--; at[i] = publishUnsaved }

    /* publish: in the generation in which the refresh began. What the store holds is not given back here: who takes it out
       of the store does that. */
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
        :: else -> present(P(i), response[i]); finish(i)
        fi }
    /* The tokens live on in memory. */
    :: atomic { at[i] == publishUnsaved ->
        if
        :: FENCED(i) -> revokeUnused(response[i]); finish(i)
        :: else -> present(P(i), response[i]); unsaved[P(i)] = true; finish(i)
        fi }

    /* keep: the write that failed is tried again. */
    :: atomic { up[P(i)] && at[i] == idle && unsaved[P(i)] && (lock == i + 1 || !(KEEPS_LOCK(P(i)))) ->
        unsaved[P(i)] = false;
        if
        :: stored == current[P(i)] - 1 && journal ->
#ifdef REACH_KEEP
            REACHED;
#endif
            store(current[P(i)], false, true); unknown = false
        :: stored == 0 -> revokeUnused(current[P(i)]); endHere(P(i), FAMILY(current[P(i)]))
        :: else ->
            if :: FAMILY(stored) != FAMILY(current[P(i)]) -> revokeUnused(current[P(i)]) :: else fi;
            present(P(i), stored)
        fi;
        if :: lock == i + 1 -> lock = 0 :: else fi }

    /* refused: the store is read once more. */
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
        :: !FENCED(i) && seen[i] == 0 -> endHere(P(i), FAMILY(current[P(i)])); finish(i)
        :: !FENCED(i) && seen[i] != 0 && seen[i] != token[i] ->
#ifdef REACH_ADOPT_REFUSED
            REACHED;
#endif
            present(P(i), seen[i]); finish(i)
        :: else -> at[i] = end_
        fi }
    /* end: the session is over. The record goes where it is still the journaled one; else it is read again. */
    :: d_step { at[i] == end_ ->
        if
        :: FENCED(i) -> finish(i)
#if defined(NO_COMPARE_END)
        :: else ->
#elif defined(NO_REREAD_AFTER_REFUSAL)
        :: !FENCED(i) && !(JOURNALED(token[i])) -> ACCIDENT(stored == 0 || over[FAMILY(stored)] || excused); finish(i)
        :: !FENCED(i) && JOURNALED(token[i]) ->
#else
        :: !FENCED(i) && !(JOURNALED(token[i])) -> at[i] = refused
        :: !FENCED(i) && JOURNALED(token[i]) ->
#endif
#ifdef REACH_END
            REACHED;
#endif
            ACCIDENT(stored == 0 || over[FAMILY(stored)] || excused);
            store(0, false, false); endHere(P(i), FAMILY(token[i])); finish(i)
        fi }
    od
}

/* ---- The network, and the server behind it ---------------------------------------------------------------------- */

/* What was lost just now may have been the last copy of a token, after the window: nobody could have saved it. */
inline isLastCopy(f) {
    if
    :: alive[f] && !grace[f] && !KEPT(f) && !over[f] -> excused = true
    :: alive[f] && !grace[f] && !KEPT(f) && over[f] -> unrevoked = true
    :: else
    fi
}

proctype network(byte i) {
end:
    do
    :: d_step { first[i] == SENT -> serve(token[i]); first[i] = served; served = 0 }
    :: d_step { again[i] == SENT -> serve(token[i]); again[i] = served; served = 0 }
    /* The request is lost, or it is on its way still when its sender has given it up. */
    :: d_step { first[i] == SENT -> first[i] = NO_ANSWER }
    :: d_step { again[i] == SENT -> again[i] = NO_ANSWER }
    :: d_step { first[i] == SENT -> FLOAT(token[i]); first[i] = NO_ANSWER }
    :: d_step { again[i] == SENT -> FLOAT(token[i]); again[i] = NO_ANSWER }
    /* The response is lost. */
    :: d_step { first[i] == ANSWERED || first[i] == REFUSED -> first[i] = NO_ANSWER; isLastCopy(FAMILY(token[i])) }
    :: d_step { again[i] == ANSWERED || again[i] == REFUSED -> again[i] = NO_ANSWER; isLastCopy(FAMILY(token[i])) }
    od
}

/* Requests whose sender waits no more: lost, or served, also twice. Only where that changes something is it a step. */
#define IS_FLOATING(t) ((floating & (1 << (t))) != 0)
#define CHANGES(t) (alive[FAMILY(t)] && !(t == PREVIOUS(FAMILY(t)) && grace[FAMILY(t)]))
proctype stray(byte t) {
end:
    do
    :: d_step { IS_FLOATING(t) && CHANGES(t) -> serve(t); served = 0 }
    :: d_step { IS_FLOATING(t) -> floating = floating & ~(1 << (t)) }
    od
}

/* The server's owner, or another device, ends the family. */
proctype owner() {
end:
    do
    :: d_step { revocations > 0 && alive[1] -> revocations--; alive[1] = false; grace[1] = false; over[1] = true }
    od
}

/* ---- Time ------------------------------------------------------------------------------------------------------- */

/* The grace window of a family closes. A token that nobody can learn any more is lost: excused only where no client
   could have saved it. */
inline closeWindow(f, isExcusable) {
    if
    :: alive[f] && grace[f] && !KEPT(f) ->
        if
        :: over[f] -> unrevoked = true
        :: !over[f] && (unknown || isExcusable) -> excused = true
        :: else -> LOST(false)
        fi
    :: else
    fi;
    grace[f] = false
}

proctype clock() {
end:
    do
    /* The window passes. Promptly is sooner: not while a process is down that had begun a refresh, not while one is at
       work on an open journal, not while a sign-in is being written, not while a request is on its way. */
    :: d_step { (grace[1] || grace[2] || reuseHoldOff) && floating == 0 && NOTHING_SENT && NOBODY_DUE && EVERY_PROCESS_UP &&
        signIn != 1 ->
        closeWindow(1, false); closeWindow(2, false); reuseHoldOff = false }
    /* The machine sleeps, or a process that died stays away: the window passes whoever is at work. */
    :: d_step { suspensions > 0 && (grace[1] || grace[2] || reuseHoldOff) && floating == 0 && NOTHING_SENT -> suspensions--;
        closeWindow(1, !neglected[0] && !neglected[1]); closeWindow(2, !neglected[0] && !neglected[1]);
        reuseHoldOff = false;
        k = 0;
        do
        :: k < FLIGHTS -> if :: at[k] == await -> late[k] = true :: else fi; k++
        :: k == FLIGHTS -> break
        od;
        k = 0 }
    od
}

/* ---- A crash ---------------------------------------------------------------------------------------------------- */

/* The process's memory is gone, and the lock is free. What it had sent may still arrive. */
inline die(p) {
    crashes--;
#ifdef REACH_SURVIVAL
    if :: alive[1] && grace[1] && stored == PREVIOUS(1) && !over[1] && token[p] == stored -> survived = stored :: else fi;
#endif
    up[p] = false; current[p] = 0; unsaved[p] = false; outOf[p] = 0; neglected[p] = false;
    k = 0;
    do
    :: k < FLIGHTS ->
        if
        :: P(k) == p ->
            if :: response[k] != 0 || first[k] == ANSWERED || again[k] == ANSWERED -> unrevoked = unrevoked || over[FAMILY(token[k])]
               :: else fi;
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
    /* It slept with the only copy in its memory, or could not write it for longer than the window. */
    isLastCopy(1);
    if :: signIn == 3 -> isLastCopy(2) :: else fi;
    if :: signOutAt == p && (signOut == 1 || signOut == 2) -> signOut = 3; unrevoked = true :: else fi;
    if
    :: signInAt == p && signIn == 1 -> signIn = 3; over[2] = true; unrevoked = true
    :: signInAt == p && signIn == 2 -> signIn = 3; unrevoked = true
    :: else
    fi
}

proctype fate() {
end:
    do
    :: d_step { crashes > 0 && up[0] -> die(0) }
    :: d_step { crashes > 0 && up[1] -> die(1) }
    od
}

/* ---- The user ------------------------------------------------------------------------------------------------- */

/* Tokens that the store lacks go with their session. */
inline dropUnsaved(p) {
    if
    :: unsaved[p] ->
        unsaved[p] = false;
        if :: lock != 0 && lock != 9 && P(lock - 1) == p && at[lock - 1] == idle -> lock = 0 :: else fi
    :: else
    fi
}

/* The newer of two tokens of one family. */
#define NEWER(a, b) (((a) != 0 && (FAMILY(a) != FAMILY(b) || (a) > (b))) -> (a) : (b))

/* Signs out, without the lock: the generation is raised, the record removed, the server told. */
inline raise(p) {
    signOut = 1; signOutAt = p; signOutToken = current[p];
    over[FAMILY(current[p])] = true; outOf[p] = outOf[p] | (1 << FAMILY(current[p]));
    dropUnsaved(p); current[p] = 0; raiseEpoch(p)
#ifdef REACH_DROP
    ; if :: at[p] == await -> signedOutInFlight = p + 1 :: else fi
#endif
}

proctype signsOut() {
end:
    do
    :: d_step { signOut == 0 && up[0] && current[0] != 0 -> raise(0) }
    :: d_step { signOut == 0 && up[1] && current[1] != 0 -> raise(1) }
    /* Changes of the store are made in their order within a process: a sign-in that is being written comes first. */
    :: d_step { signOut == 1 && !SIGNING_IN(signOutAt) ->
        if
#if defined(SIGN_OUT_REMOVES_ANY)
        :: stored != 0 ->
#elif defined(SIGN_OUT_COMPARES_ONCE)
        :: stored == signOutToken ->
#else
        /* The record of this sign-in, however often it was refreshed; not one of a later sign-in. */
        :: stored != 0 && FAMILY(stored) == FAMILY(signOutToken) ->
#endif
            ACCIDENT(over[FAMILY(stored)] || excused);
#ifndef TELL_HELD_ONLY
            signOutToken = NEWER(signOutToken, stored);
#endif
            store(0, false, false)
        :: else
        fi;
        removed[FAMILY(signOutToken)] = true;
        SIGN_OUT(stored == 0 || !removed[FAMILY(stored)]);
        signOut = 2 }
    :: atomic { signOut == 2 -> tellOrNot(signOutToken); signOut = 3; signOutToken = 0 }
    od
}

/* Signs in, where somebody is signed in too: the generation is raised, the record written, what it replaced is given back. */
inline enter(p) {
    signIn = 1; signInAt = p; alive[2] = true;
    if :: unsaved[p] -> signInReplaces = current[p] :: else fi;
    dropUnsaved(p); raiseEpoch(p); present(p, TOKEN(2, 0))
}

proctype signsIn() {
end:
    do
    :: d_step { signIn == 0 && up[0] -> enter(0) }
    :: d_step { signIn == 0 && up[1] -> enter(1) }
    :: d_step { signIn == 1 ->
        if
#ifdef FENCED_SIGN_IN
        :: FAMILY(current[signInAt]) != 2 -> signInReplaces = TOKEN(2, 0)
#endif
        /* Also where the user has signed out meanwhile: the removal follows, and finds what it is to remove. */
        :: else -> signInReplaces = NEWER(signInReplaces, stored); store(TOKEN(2, 0), false, false); over[1] = true
        fi;
        signIn = 2 }
    :: atomic { signIn == 2 ->
        if :: signInReplaces != 0 -> tellOrNot(signInReplaces) :: else fi;
        signIn = 3; signInReplaces = 0 }
    od
}

/* ---- The end ---------------------------------------------------------------------------------------------------- */

#define ENDED(f) (over[f] || excused)
#ifdef JOIN_DROPPED
#define ALL_IDLE (at[0] == idle && at[1] == idle && at[2] == idle)
#define NOBODY_WAITS (waiting[0] == 0 && waiting[1] == 0 && waiting[2] == 0)
#else
#define ALL_IDLE (at[0] == idle && at[1] == idle)
#define NOBODY_WAITS (waiting[0] == 0 && waiting[1] == 0)
#endif

/* Nothing can happen any more. */
proctype rest() {
end:
    timeout ->
    d_step {
        STUCK(ALL_IDLE && NOBODY_WAITS && lock == 0 && EVERY_PROCESS_UP && !unsaved[0] && !unsaved[1]);
        /* The session that nobody ended is in the store, with the server's token, and in both processes. */
        LOST(ENDED(1) || unknown || (alive[1] && stored == CURRENT(1)));
        LOST(signIn != 3 || ENDED(2) || unknown || (alive[2] && stored == CURRENT(2)));
        ACCIDENT(ENDED(1) || (current[0] != 0 && current[1] != 0));
        ACCIDENT(signIn != 3 || ENDED(2) || (FAMILY(stored) == 2 && FAMILY(current[signInAt]) == 2));
        SIGN_OUT(stored == 0 || !removed[FAMILY(stored)]);
        DROPPED(!alive[1] || FAMILY(stored) == 1 || unrevoked || excused || unknown);
        DROPPED(!alive[2] || FAMILY(stored) == 2 || unrevoked || excused || unknown)
    }
}

init {
    d_step {
        alive[1] = true; over[0] = true;
        stored = TOKEN(1, 0); current[0] = stored; current[1] = stored;
        if :: SIGN_OUTS == 0 -> signOut = 3 :: else fi;
        if :: SIGN_INS == 0 -> signIn = 4 :: else fi
    }
    atomic {
        run refresh(0); run refresh(1); run network(0); run network(1);
#ifdef JOIN_DROPPED
        run refresh(2); run network(2);
#endif
        run stray(TOKEN(1, 0)); run stray(TOKEN(1, 1));
#if SIGN_INS > 0
        run stray(TOKEN(2, 0)); run stray(TOKEN(2, 1)); run signsIn();
#endif
#if SIGN_OUTS > 0
        run signsOut();
#endif
#if REVOCATIONS > 0
        run owner();
#endif
        run clock(); run fate(); run rest()
    }
}
