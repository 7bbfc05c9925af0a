/** Limits of cross-app requests. */
export const crossAppServerLimits = {
  spendingSeconds: 86_400,
  /** After this time a sending process has received the node's response or has died. */
  abandonedSeconds: 30,
} as const
