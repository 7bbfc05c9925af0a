import type { ErrorCode } from '@latchkey/protocol'
import type { WalletAnswer } from '@latchkey/protocol/host'

/** Why the frame does not come. What is not certain may still be slowness: the handshake keeps its deadline. */
export type Finding = {
  certain: boolean
  code: ErrorCode
  message: string
  details?: unknown
  cause?: unknown
}

/** What a frame needs of the second file. */
export type SecondFileForFrame = {
  askWallet(asked: unknown): Promise<WalletAnswer>
  findOutWhy(dialogUrl: string, appId: string): Promise<Finding>
}
