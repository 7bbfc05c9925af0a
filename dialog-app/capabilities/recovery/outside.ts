/** The browser features that recovery depends on. Tests replace them. */

export type RecoveryOutside = {
  userAgent?: string | undefined
  hasPrf?: (() => Promise<boolean>) | undefined
}
