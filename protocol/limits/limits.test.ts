/** The limits of the specification and of docs/security.md, repeated here literally. */
import { describe, expect, it } from 'vitest'
import { confirmLimits } from '../capabilities/confirm/limits.ts'
import { walletErrorTypes } from '../errors/error-codes.ts'
import { isMfaCanceled, isRateLimit, walletContract } from '../wallet/index.ts'
import { approvalLimits } from './approval.ts'
import {
  apiLimits,
  attemptLimits,
  channelLimits,
  dialogLimits,
  emailLimits,
  sessionLimits,
} from './limits.ts'
import { screenLimits } from './screens.ts'
import { serverLimits } from './server.ts'
import { walletLimits } from './wallet.ts'
import { walletSizes } from './wallet-sizes.ts'

describe('a documented limit', () => {
  it('of API calls: 20 s timeout, three retries with factor-3 backoff, and the retried statuses', () => {
    expect({ ...apiLimits, ...serverLimits }).toMatchObject({
      timeoutMs: 20_000,
      retries: 3,
      firstRetryDelayMs: 500,
      retryDelayFactor: 3,
      requestReplaySeconds: 120,
    })
    expect(apiLimits.retriedStatuses).toEqual([408, 409, 425, 500, 502, 503, 504])
  })

  it('of codes: six digits, 10 minutes, 5 guesses per 10 minutes and 20 per day, 5 and 30 sends', () => {
    expect(emailLimits).toMatchObject({ codeLength: 6, codeSeconds: 600 })
    expect(attemptLimits).toMatchObject({
      guessesPerWindow: 5,
      guessWindowSeconds: 600,
      guessesPerDay: 20,
      sendsPerWindow: 5,
      sendsPerDay: 30,
      daySeconds: 86_400,
    })
  })

  it('of sessions: 15 minutes, 60 s, 30 s before the end, 30 days, 10 s of grace', () => {
    expect({ ...sessionLimits, ...serverLimits, ...walletLimits }).toMatchObject({
      accessTokenSeconds: 900,
      walletTokenSeconds: 60,
      activeLeftSeconds: 30,
      refreshTokenSeconds: 2_592_000,
      refreshCookieMarkerSeconds: 2_592_000,
      successorGraceSeconds: 10,
      oneUseCodeSeconds: 60,
      proofMaxAgeSeconds: 60,
    })
  })

  it('of confirmations: 5 minutes, polled every second, 50 open, 50 activities per page', () => {
    expect(confirmLimits).toMatchObject({
      seconds: 300,
      statusPollMs: 1_000,
      maxOpen: 50,
      activityPageSize: 50,
    })
  })

  it('of the dialog', () => {
    expect({ ...dialogLimits, ...screenLimits }).toMatchObject({
      successCloseMs: 1_400,
      beforeNextStepMs: 900,
      authFlowResetMs: 200,
      mobileBreakpointPx: 440,
      cardBreakpointPx: 441,
      logoMaxWidthPx: 180,
      logoMaxHeightPx: 90,
    })
    expect(approvalLimits).toMatchObject({
      seenMs: 700,
      restMs: 500,
      travelledMs: 120,
      travelMoves: 3,
      framePlacePx: 4,
    })
    expect(emailLimits).toMatchObject({ wrongCodeClearsMs: 1_400, resendLockMs: 30_000 })
  })

  it('of the wallet: 30 s and 15 s for the frame, 10 s for a creation', () => {
    expect({ ...walletLimits, ...walletSizes }).toMatchObject({
      frameReadyMs: 30_000,
      frameReadyImperativeMs: 15_000,
      createMs: 10_000,
      createdScreenCloseMs: 2_500,
      signSuccessCloseMs: 1_400,
      signResetMs: 200,
      vaultIdleMs: 60_000,
      entropyBytes: 16,
      sharesTotal: 3,
      sharesNeeded: 2,
    })
    expect(walletContract.child['wallet:create'].deadlineMs).toBe(10_000)
  })

  it('of window messages: 64 KB, 16 levels, 20 per second, 50 queued', () => {
    expect(channelLimits).toMatchObject({
      maxMessageBytes: 65_536,
      maxTypedDataBytes: 262_144,
      maxDepth: 16,
      rememberedIds: 10_000,
      callsPerSecond: 20,
      maxQueuedCalls: 50,
      handshakeDeadlineMs: 10_000,
      callDeadlineMs: 20_000,
      userCallDeadlineMs: 1_800_000,
    })
  })
})

describe('an error of the wallet frame', () => {
  // spec W8.1
  it('is one of nine types', () => {
    expect(walletErrorTypes).toEqual([
      'error',
      'invalid_request_arguments',
      'wallet_not_on_device',
      'invalid_recovery_pin',
      'insufficient_funds',
      'missing_or_invalid_mfa',
      'mfa_verification_max_attempts_reached',
      'mfa_timeout',
      'twilio_verification_failed',
    ])
  })

  it("is a rate limit if it contains 'code 429', not for the number alone", () => {
    expect(isRateLimit('Request failed with status code 429')).toBe(true)
    for (const other of ['429', 'status 429', 'code 42', 'code 4 29', '']) {
      expect(isRateLimit(other), other).toBe(false)
    }
  })

  it("is a cancellation if it is exactly 'MFA canceled'", () => {
    expect(isMfaCanceled('MFA canceled')).toBe(true)
    for (const other of ['MFA cancelled', 'mfa canceled', 'MFA canceled.', '']) {
      expect(isMfaCanceled(other), other).toBe(false)
    }
  })
})
