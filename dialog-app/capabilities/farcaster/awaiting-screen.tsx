/** Waits for an approval on a phone, and logs in with it. */
import { farcasterLimits, toLatchkeyError } from '@latchkey/protocol'
import { channelTokenHeader, farcasterRoutes, type RouteOutput } from '@latchkey/protocol/api'
import { useEffect, useEffectEvent, useState } from 'react'
import { useDialog } from '../../app/context.ts'
import { useContentChange, useHeader, useShownState } from '../../app/screen-options.ts'
import { rowFor } from '../../contract/error-table.ts'
import type { GetCaptchaPass, MethodInProgress } from '../../contract/login.ts'
import type { Refusals } from '../../contract/refusals.ts'
import { useTexts } from '../../i18n/context.tsx'
import { AwaitingPhone } from '../../phone-app/awaiting-phone.tsx'
import { pollPhone } from '../../phone-app/phone-poll.ts'
import { Failure } from '../../ui/feedback/failure.tsx'
import { Success } from '../../ui/feedback/success.tsx'
import { Waiting } from '../../ui/feedback/waiting.tsx'
import { farcaster } from '../../ui/marks/brands/farcaster.ts'
import { Mark, markUrl } from '../../ui/marks/mark.tsx'
import { type FarcasterFailure, failures } from './failures.ts'
import { texts } from './texts.arb'

export type AwaitingState =
  /** The channel to the phone opens. */
  | { status: 'opening' }
  | { status: 'waiting'; connectUri: string }
  /** The phone has approved, and the approval is being redeemed. */
  | { status: 'approved' }
  | { status: 'success' }
  | ({ status: 'failed' } & FarcasterFailure)

type Channel = RouteOutput<typeof farcasterRoutes.beginFarcaster>
type Status = RouteOutput<typeof farcasterRoutes.farcasterStatus>
/** The values that redeem the phone's approval. */
type Approval = { channelToken: string } & Pick<
  Extract<Status, { state: 'completed' }>,
  'message' | 'signature' | 'fid'
>

type Props = {
  progress: MethodInProgress
  refusals: Refusals
  captchaPass: GetCaptchaPass
  isPhone: boolean
}

export function AwaitingScreen({ progress, refusals, captchaPass, isPhone }: Props) {
  const { handle, services, isCurrent } = useDialog()
  const { api, clock, session, settings } = services
  // These calls have no button, so they wait for the network.
  const callOptions = { signal: handle.signal, onNetwork: () => {} }
  const [state, show] = useState<AwaitingState>({ status: 'opening' })
  const isApproved = state.status === 'approved' || state.status === 'success'
  useHeader({ back: !isApproved, close: true })
  const drawnState = useShownState(state, state.status === 'opening' || state.status === 'approved')
  useContentChange(drawnState.status)

  async function run({ isFirst }: { isFirst: boolean }) {
    let channel: Channel | undefined
    try {
      channel = await openChannel()
    } catch (error) {
      if (!isCurrent()) return
      handle.back()
      progress.refuse(error)
      return
    }
    if (!isCurrent()) return
    if (!channel) {
      if (isFirst) handle.back()
      return
    }
    try {
      show({ status: 'waiting', connectUri: channel.connectUri })
      const approval = await pollApproval(channel.channelToken)
      if (approval) await redeem(approval)
    } catch (error) {
      if (isCurrent()) fail(error)
    }
  }

  /** Returns undefined if the user went back from the captcha. */
  async function openChannel(): Promise<Channel | undefined> {
    const pass = await captchaPass(handle)
    if (!pass) return undefined
    show({ status: 'opening' })
    const { hostOrigin } = settings()
    const page = hostOrigin === null ? {} : { origin: hostOrigin }
    return api.call(farcasterRoutes.beginFarcaster, { ...page, ...pass }, callOptions)
  }

  /** Returns undefined if the user left the screen. */
  const pollApproval = (channelToken: string): Promise<Approval | undefined> =>
    pollPhone({
      clock,
      ...farcasterLimits,
      signal: handle.signal,
      isPresent: isCurrent,
      async ask() {
        const headers = { [channelTokenHeader]: channelToken }
        const status = await api.call(farcasterRoutes.farcasterStatus, undefined, { ...callOptions, headers })
        if (status.state !== 'completed') return undefined
        const { message, signature, fid } = status
        return { channelToken, message, signature, fid }
      },
    })

  async function redeem(approval: Approval) {
    show({ status: 'approved' })
    const proved = await progress.prove(
      {
        logIn: (vault, proofAsker) =>
          session.logIn(
            farcasterRoutes.loginWithFarcaster,
            { ...approval, ...(vault && { vault }) },
            proofAsker,
          ),
        link: (proofAsker) => api.call(farcasterRoutes.linkFarcaster, approval, proofAsker),
      },
      callOptions,
    )
    show({ status: 'success' })
    progress.complete({
      ...proved,
      loginMethod: 'farcaster',
      loginAccount: proved.user.linkedAccounts.find(({ type }) => type === 'farcaster') ?? null,
    })
  }

  function fail(error: unknown) {
    const problem = toLatchkeyError(error, 'unknown_auth_error', 'Something went wrong')
    if (refusals.hasOwnScreen(problem.code)) {
      progress.refuse(problem)
      return
    }
    progress.failed?.(problem)
    show({ status: 'failed', ...rowFor(failures, problem.code) })
  }

  const begin = useEffectEvent(() => void run({ isFirst: true }))
  useEffect(begin, [])

  return (
    <AwaitingView
      state={drawnState}
      isPhone={isPhone}
      onRetry={() => state.status === 'failed' && void run({ isFirst: false })}
      onLeave={handle.back}
    />
  )
}

const logoUrl = markUrl(farcaster)

export type AwaitingViewProps = {
  state: AwaitingState
  /** The Farcaster app is on this device. */
  isPhone: boolean
  onRetry: () => void
  onLeave: () => void
}

export function AwaitingView({ state, isPhone, onRetry, onLeave }: AwaitingViewProps) {
  const { opening, scan, follow, approved, success, failed, failures } = useTexts(texts)
  const face = <Mark drawing={farcaster} size={32} />
  switch (state.status) {
    case 'opening':
      return (
        <Waiting title={opening.title} detail={opening.detail}>
          {face}
        </Waiting>
      )
    case 'waiting':
      return (
        <AwaitingPhone uri={state.connectUri} isPhone={isPhone} scan={scan} follow={follow} logoUrl={logoUrl}>
          {face}
        </AwaitingPhone>
      )
    case 'approved':
      return (
        <Waiting title={approved.title} detail={approved.detail}>
          {face}
        </Waiting>
      )
    case 'success':
      return <Success title={success.title} detail={success.detail} />
    case 'failed':
      return (
        <Failure
          title={failed.title}
          detail={failures[state.text]}
          button={state.isRetryable ? failed.retry : failed.back}
          onPress={state.isRetryable ? onRetry : onLeave}
        />
      )
    default:
      return state satisfies never
  }
}
