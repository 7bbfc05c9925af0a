import type { ErrorCode } from '@latchkey/protocol'
import type { WalletAnswer } from '@latchkey/protocol/host'

/** The reason why the frame does not load. If it is not certain, the handshake keeps its deadline. */
export type Finding = {
  certain: boolean
  code: ErrorCode
  message: string
  details?: unknown
  cause?: unknown
}

/** The functions of the second file that a frame needs. */
export type SecondFileForFrame = {
  askWallet(asked: unknown): Promise<WalletAnswer>
  diagnoseFrame(dialogUrl: string, appId: string): Promise<Finding>
}
