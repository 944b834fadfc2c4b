// The bundle of the webhooks queue. It is apart from the main one: each process in a worker's cache holds all code of
// its bundle, and most cached processes are webhook deliveries.
import { declareBehaviours } from './behaviours.ts'
import * as processes from './webhook-processes.ts'

export * from './webhook-processes.ts'

declareBehaviours(processes)
