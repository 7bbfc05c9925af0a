import type { ErrorCode } from '@latchkey/protocol'

/** Its message is for the operator, its code for programs that run the command. */
export class AppRefusal extends Error {
  override readonly name = 'AppRefusal'
  readonly code: ErrorCode

  constructor(message: string, code: ErrorCode = 'invalid_data') {
    super(message)
    this.code = code
  }
}
