/**
 * Capabilities with host calls, one line each. A module exports its calls as `<name>Calls`, answers as `<name>Answers`,
 * descriptions as `<name>Doc` and events as `<name>Events`. The types of `capability-calls.ts` and `docs/protocol.md`
 * derive from these names.
 */
export * from '../capabilities/batch.ts'
export * from '../capabilities/cross-app/host.ts'
export * from '../capabilities/ethereum/host.ts'
export * from '../capabilities/export/host.ts'
export * from '../capabilities/farcaster-signer/host.ts'
export * from '../capabilities/fork.ts'
export * from '../capabilities/funding/host.ts'
export * from '../capabilities/import.ts'
export * from '../capabilities/landing.ts'
export * from '../capabilities/linking.ts'
export * from '../capabilities/mfa/host.ts'
export * from '../capabilities/oauth/host.ts'
export * from '../capabilities/recovery/host.ts'
export * from '../capabilities/send.ts'
export * from '../capabilities/sign/host.ts'
export { type SolanaSignInFields, writeSolanaSignIn } from '../capabilities/sign/solana-sign-in.ts'
export * from '../capabilities/siwe/host.ts'
export * from '../capabilities/solana.ts'
export * from '../capabilities/wallet-create.ts'
