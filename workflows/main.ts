// The bundle of the main queue: what its workers load.
import * as processes from './main-processes.ts'
import { declareBehaviours } from './behaviours.ts'

export * from './main-processes.ts'

declareBehaviours(processes)
