import { hourMs } from '../duration.ts'

/** How long the link to the hosted onboarding page works, in milliseconds. */
export const onboardingLinkMs = hourMs
