import type { ErrorCode } from '@latchkey/protocol'
import type { WalletAnswer } from '@latchkey/protocol/host'
import type { HostLogin } from '../types/options.ts'

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
  answerDialog(asked: unknown, hostLogin: HostLogin | undefined): Promise<WalletAnswer>
  diagnoseFrame(dialogUrl: string, appId: string): Promise<Finding>
}
