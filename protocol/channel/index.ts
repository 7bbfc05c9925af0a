export type {
  CallContext,
  CallInput,
  CallOutput,
  CallPolicy,
  CallRow,
  CallRows,
  CallRule,
  Calls,
  Contract,
  Handlers,
  ReceivedMessages,
  Schema,
  ServedBy,
  Verification,
} from './contract.ts'
export { getMethodRule } from './contract.ts'
export { parse } from './envelope.ts'
export type { ChannelTarget } from './link.ts'
export { assertPlainMessage } from './message-limits.ts'
export { type CallOptions, type Channel, type ChannelOptions, openChannel } from './open.ts'
export { type AnyHandlers, createReceiver, type Receiver } from './receiver.ts'
