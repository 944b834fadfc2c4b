import type { SignalDefinition, UpdateDefinition } from '@temporalio/common'
import { defineSignal, defineUpdate } from '@temporalio/workflow'
import type { ProcessName, SignalArgs, SignalOf, UpdateArgs, UpdateOf } from '../domain/processes.ts'

/** The definition of an update that the process's contract declares, for its handler. */
export const updateOf = <P extends ProcessName, U extends UpdateOf<P>>(
  _process: P,
  name: U,
): UpdateDefinition<void, UpdateArgs<P, U>> => defineUpdate(name)

/** The definition of a signal that the process's contract declares, for its handler. */
export const signalOf = <P extends ProcessName, S extends SignalOf<P>>(
  _process: P,
  name: S,
): SignalDefinition<SignalArgs<P, S>> => defineSignal(name)
