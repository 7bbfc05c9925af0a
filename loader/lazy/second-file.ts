/** The exports of the second file, which is loaded on first use. */
export { askWallet } from '@latchkey/protocol/host-page'
export { createCall, readAnswer } from './calls.ts'
export { diagnoseFrame } from './diagnose-frame.ts'
export { receiveEvent } from './events.ts'
export { serveProvider } from './provider/provider.ts'
