import type { ErrorCode } from '@latchkey/protocol'

/** A refused change. The message is for the operator, the code for programs that run the CLI. */
export class AppRefusal extends Error {
  override readonly name = 'AppRefusal'
  readonly code: ErrorCode

  constructor(message: string, code: ErrorCode = 'invalid_data') {
    super(message)
    this.code = code
  }
}
