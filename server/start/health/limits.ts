/** Below the interval of any balancer. */
export const healthLimits = { rememberedMs: 500 } as const
