/** Recovery meets this outside of the dialog; a test has its own. */

export type RecoveryOutside = {
  userAgent?: string | undefined
  hasPrf?: (() => Promise<boolean>) | undefined
}
