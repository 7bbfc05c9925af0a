export const cleanupLimits = {
  /** Of those who were deleted, each with what there is of them. */
  usersARun: 500,
} as const
