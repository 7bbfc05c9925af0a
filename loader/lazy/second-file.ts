/** The exports of the second file, which is loaded on first use. */
export { answerDialog } from './answer-dialog.ts'
export { createCall, readAnswer } from './calls.ts'
export { diagnoseFrame } from './diagnose-frame.ts'
export { receiveEvent } from './events.ts'
export { serveProvider } from './provider/provider.ts'
