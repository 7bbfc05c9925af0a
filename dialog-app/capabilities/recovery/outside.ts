/** Recovery meets this outside of the dialog; a test has its own. */

export type RecoveryOutside = {
  readonly userAgent?: string | undefined
  readonly hasPrf?: (() => Promise<boolean>) | undefined
}
