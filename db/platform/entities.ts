import { OwnSettings } from './account-settings.ts'
import { AccountCapability } from './capability.ts'
import { VirtualAccount } from './virtual-account.ts'

/** The tables of the area. */
export const platformEntities = [AccountCapability, OwnSettings, VirtualAccount]
