/** A login with Farcaster: a phone approves what this screen shows, and the server checks what it signed. */
import { dialogLimits, farcasterLimits, toLatchkeyError } from '@latchkey/protocol'
import { channelTokenHeader, farcasterRoutes, type RouteOutput } from '@latchkey/protocol/api'
import type { DialogServices } from '../../app/services.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { rowFor } from '../../contract/error-table.ts'
import type { MethodCode, MethodInProgress, StartedMethod } from '../../contract/login.ts'
import { screen } from '../../flow/screen.ts'
import { hasApp } from '../../phone-app/phone-app.ts'
import { pollPhone } from '../../phone-app/phone-poll.ts'
import { failures } from './failures.ts'
import type { AwaitingState } from './farcaster-screens.tsx'
import { awaitingScreen, farcasterEntry } from './screens.ts'

type Opened = RouteOutput<typeof farcasterRoutes.beginFarcaster>
type Device = { isPhone: boolean }

export const farcasterMethod = (ports: CapabilityPorts, device?: Device): MethodCode => ({
  account: {
    type: 'farcaster',
    idOf: (account) => (account.type === 'farcaster' ? String(account.fid) : undefined),
    nameOf: (account) =>
      account.type === 'farcaster' ? (account.username ?? String(account.fid)) : undefined,
    unlink: (fid, asker) => ports.api.call(farcasterRoutes.unlinkFarcaster, { fid: Number(fid) }, asker),
  },
  loadEntry: () => Promise.all([farcasterEntry.component.load(), farcasterEntry.texts.load()]),
  start: (progress) => startFarcasterLogin(ports, device ?? { isPhone: hasApp(navigator) }, progress),
})

function startFarcasterLogin(
  { api, clock, session, settings, refusals, captchaPass }: CapabilityPorts,
  { isPhone }: Device,
  progress: MethodInProgress,
): StartedMethod {
  const { card } = progress
  const { signal } = card
  /** Nobody sees these calls, so they wait for the network. */
  const asker = { signal, onNetwork: () => {} }
  /** One try at a time: what belongs to an earlier one comes too late. */
  let tries = 0

  const view = (state: AwaitingState) => screen(awaitingScreen, state, { retry, leave: card.back })

  function show(state: AwaitingState) {
    if (card.isAt(awaitingScreen)) card.update(view(state))
    else card.go(view(state))
  }

  function choose() {
    progress.chosen()
    void logIn()
  }

  const retry = () => void logIn()

  async function logIn() {
    tries += 1
    const own = tries
    /** The user is still where this try has them. */
    let isPresent = () => own === tries && (card.isAt(awaitingScreen) || progress.isAtEntry())
    function present(state: AwaitingState) {
      show(state)
      isPresent = () => own === tries && card.isAt(awaitingScreen)
    }
    let opened: Opened | undefined
    try {
      opened = await open(() => {
        if (isPresent()) present({ status: 'opening' })
      })
    } catch (error) {
      if (!isPresent()) return
      if (card.isAt(awaitingScreen)) card.back()
      progress.refuse(error)
      return
    }
    if (!opened || !isPresent()) return
    try {
      const { channelToken, connectUri } = opened
      present({ status: 'waiting', connectUri, isPhone })
      const approval = await approvalOf({ api, clock }, channelToken, { signal, isPresent })
      if (!approval) return
      show({ status: 'approved' })
      await redeem(approval)
    } catch (error) {
      if (isPresent()) fail(error)
    }
  }

  /** Undefined for whoever went back from the captcha. */
  async function open(takesLong: () => void): Promise<Opened | undefined> {
    const pass = await captchaPass(card)
    if (!pass) return undefined
    const stop = card.after(dialogLimits.progressAfterMs, takesLong)
    const { hostOrigin } = settings()
    const page = hostOrigin === null ? {} : { origin: hostOrigin }
    return api.call(farcasterRoutes.beginFarcaster, { ...page, ...pass }, asker).finally(stop)
  }

  async function redeem(approval: Approval) {
    const proved = await progress.prove(
      {
        logIn: (vault, asked) =>
          session.logIn(farcasterRoutes.loginWithFarcaster, { ...approval, ...(vault && { vault }) }, asked),
        link: (asked) => api.call(farcasterRoutes.linkFarcaster, approval, asked),
      },
      asker,
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

  return {
    entry: () => progress.entry(farcasterEntry, { isAlone: progress.purpose !== 'login' }, { choose }),
  }
}

type Status = RouteOutput<typeof farcasterRoutes.farcasterStatus>
type Completed = Extract<Status, { state: 'completed' }>
/** What the login or the link is made with. */
type Approval = { channelToken: string } & Pick<Completed, 'message' | 'signature' | 'fid'>

/** Waits for what the phone signed, once it has approved. Undefined for whoever is no longer waited for. */
function approvalOf(
  { api, clock }: Pick<DialogServices, 'api' | 'clock'>,
  channelToken: string,
  { signal, isPresent }: { signal: AbortSignal; isPresent: () => boolean },
): Promise<Approval | undefined> {
  const asker = { signal, onNetwork: () => {}, headers: { [channelTokenHeader]: channelToken } }
  return pollPhone({
    clock,
    ...farcasterLimits,
    signal,
    isPresent,
    async ask() {
      const status = await api.call(farcasterRoutes.farcasterStatus, undefined, asker)
      if (status.state !== 'completed') return undefined
      const { message, signature, fid } = status
      return { channelToken, message, signature, fid }
    },
  })
}
