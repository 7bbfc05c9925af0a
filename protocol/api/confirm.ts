/**
 * What is to be signed, and where it may be approved. The dialog puts a request under a handle; a page of its own,
 * which has the handle and no token, reads it and decides; what may be approved in the frame needs no such page. The
 * wallet token of the signature names the handle, and the digest that the server has read.
 */
import * as v from 'valibot'
import { confirmLimits } from '../confirm.limits.ts'
import { evmAddress } from '../entities/chain-primitives.ts'
import { epochSeconds, id, text } from '../entities/primitives.ts'
import { walletAddress } from '../entities/wallet-address.ts'
import { keepsName } from '../naming.ts'
import {
  confirmationHandle,
  confirmationPlaces,
  confirmationReasons,
  confirmationStates,
  signedDigest,
} from '../wallet/confirmation.ts'
import { signableRequestSchema } from '../wallet/rpc-requests.ts'
import type { Routes } from './route.ts'

const ofDialog = { method: 'POST', auth: 'dialog', forks: true, appHeader: true } as const
/** The page is top-level: it has neither the session of the frame nor a share of the wallet. */
const ofPage = { method: 'POST', auth: 'none', forks: true, appHeader: true } as const

const expiresInSeconds = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const state = v.picklist(confirmationStates)
/** In dollars, with cents: `12.34`. */
const usd = v.pipe(v.string(), v.regex(/^[0-9]+\.[0-9]{2}$/))
const chainIdText = v.pipe(v.string(), v.regex(/^[1-9][0-9]{0,14}$/))

/** What a wallet has signed, and what else was done with it. */
export const activityKinds = ['message', 'typed_data', 'transaction', 'created', 'recovered'] as const
const activityEntry = v.object({
  id,
  at: epochSeconds,
  kind: v.picklist(activityKinds),
  /** Of a signature alone, as all that follows. */
  method: v.exactOptional(text),
  place: v.exactOptional(v.picklist(confirmationPlaces)),
  digest: v.exactOptional(signedDigest),
  /** Of a transaction, and of typed data that names them. */
  chainId: v.exactOptional(text),
  to: v.exactOptional(evmAddress),
  /** In the smallest unit of the chain, decimal. */
  value: v.exactOptional(text),
})
export type ActivityEntry = v.InferOutput<typeof activityEntry>

const confirmation = v.object({
  digest: signedDigest,
  /** Where it may be approved: the page may always be chosen. */
  place: v.picklist(confirmationPlaces),
  reason: v.picklist(confirmationReasons),
  /** What it moves and costs at most; null where nobody knows, or where it is worth nothing. */
  usd: v.nullable(usd),
  expiresInSeconds,
})
export type Confirmation = v.InferOutput<typeof confirmation>

const toDecide = v.object({
  state: v.literal('open'),
  request: signableRequestSchema,
  address: walletAddress,
  digest: signedDigest,
  reason: v.picklist(confirmationReasons),
  usd: v.nullable(usd),
  /** Of the page that asked, as the dialog knows it. */
  origin: v.nullable(text),
  expiresInSeconds,
})
export type ConfirmationToDecide = v.InferOutput<typeof toDecide>

export const confirmRoutes = {
  putConfirmation: {
    ...ofDialog,
    path: '/confirmations',
    effect: 'changes',
    maxBodyBytes: confirmLimits.maxBodyBytes,
    body: v.object({
      handle: confirmationHandle,
      address: walletAddress,
      request: signableRequestSchema,
      /** Of the page that asks. */
      origin: v.nullable(text),
      /** Whether it is to be signed without a screen, where the app allows that. */
      silent: v.boolean(),
    }),
    output: confirmation,
  },
  confirmationStatus: {
    ...ofDialog,
    path: '/confirmations/status',
    effect: 'changes',
    body: v.object({ handle: confirmationHandle }),
    output: v.object({ state }),
  },
  readConfirmation: {
    ...ofPage,
    path: '/confirmations/read',
    effect: 'changes',
    body: v.object({ handle: confirmationHandle }),
    output: v.variant('state', [
      toDecide,
      v.object({ state: v.picklist(['approved', 'refused', 'used', 'expired']) }),
    ]),
  },
  decideConfirmation: {
    ...ofPage,
    path: '/confirmations/decision',
    effect: 'changes',
    body: v.object({
      handle: confirmationHandle,
      digest: signedDigest,
      decision: v.picklist(['approve', 'refuse']),
    }),
    output: v.object({ state }),
  },
  tokenPrice: {
    method: 'GET',
    path: '/token_price',
    auth: 'identity',
    forks: true,
    effect: 'reads',
    appHeader: true,
    /** The specification writes these as JavaScript does. */
    query: v.object({
      chainId: v.pipe(chainIdText, keepsName<string>()),
      tokenSymbol: v.pipe(text, keepsName<string>()),
    }),
    output: v.object({ usd: v.number() }),
  },
  activity: {
    method: 'GET',
    path: '/users/me/activity',
    auth: 'dialog',
    forks: true,
    effect: 'reads',
    appHeader: true,
    query: v.object({ before: v.exactOptional(v.pipe(text, v.regex(/^[0-9]{1,12}\.[A-Za-z0-9_-]{1,64}$/))) }),
    /** `next` is `before` of the page that follows. */
    output: v.object({ activity: v.array(activityEntry), next: v.nullable(text) }),
  },
} as const satisfies Routes
