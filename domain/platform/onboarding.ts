/** How long the link to the hosted onboarding page works, in milliseconds. */
export const onboardingLinkMs = 3_600_000
