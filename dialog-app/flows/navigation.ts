/**
 * Where the dialog is, and where back leads: a pure machine, without a timer or a URL.
 *
 * History keeps whole screens, so that going back shows what was there. Whatever comes late for a screen that is
 * gone changes nothing.
 */
import type { ErrorCode } from '@latchkey/protocol'
import type { HeaderFlags } from '../core.ts'
import type { ScreenStates, ScreenView, ShownScreen } from './view-state.ts'

export const flowKinds = ['login', 'link', 'approval'] as const
export type FlowKind = (typeof flowKinds)[number]

/** What the caller of a flow gets when the user closes it. */
export const exitCodes = {
  login: 'exited_auth_flow',
  link: 'exited_link_flow',
  approval: 'user_rejected_request',
} as const satisfies Record<FlowKind, ErrorCode>

export type Navigation = {
  readonly open: boolean
  readonly flow: FlowKind | undefined
  readonly screen: ScreenView | undefined
  readonly history: readonly ScreenView[]
  readonly step: number
  readonly direction: 'forward' | 'back'
}

export const closedNavigation: Navigation = {
  open: false,
  flow: undefined,
  screen: undefined,
  history: [],
  step: 0,
  direction: 'forward',
}

export type Move =
  | { readonly type: 'open'; readonly flow: FlowKind; readonly screen: ScreenView }
  /** To a screen from which back leads here. */
  | { readonly type: 'forward'; readonly screen: ScreenView }
  /** To a screen that takes this one's place. */
  | { readonly type: 'replace'; readonly screen: ScreenView }
  /** To the first screen of a flow, with no way back. */
  | { readonly type: 'restart'; readonly screen: ScreenView }
  /** New state of the same screen. */
  | { readonly type: 'update'; readonly screen: ScreenView }
  | { readonly type: 'back' }
  /** The screen stays while the card goes. */
  | { readonly type: 'close' }
  | { readonly type: 'reset' }

export function move(from: Navigation, to: Move): Navigation {
  const { screen, history, step } = from
  switch (to.type) {
    case 'open':
      return {
        open: true,
        flow: to.flow,
        screen: to.screen,
        history: [],
        step: step + 1,
        direction: 'forward',
      }
    case 'forward':
      return {
        ...from,
        screen: to.screen,
        history: screen ? [...history, screen] : history,
        step: step + 1,
        direction: 'forward',
      }
    case 'replace':
      return { ...from, screen: to.screen, step: step + 1, direction: 'forward' }
    case 'restart':
      return { ...from, screen: to.screen, history: [], step: step + 1, direction: 'back' }
    case 'update':
      return from.open && screen?.name === to.screen.name ? { ...from, screen: to.screen } : from
    case 'back': {
      const previous = history.at(-1)
      if (!previous) return from
      return { ...from, screen: previous, history: history.slice(0, -1), step: step + 1, direction: 'back' }
    }
    case 'close':
      return { ...from, open: false }
    case 'reset':
      return { ...closedNavigation, step }
    default:
      return to satisfies never
  }
}

type Ways = { readonly back: boolean; readonly close: boolean }
const everyWay: Ways = { back: true, close: true }
const onlyClose: Ways = { back: false, close: true }
const noWay: Ways = { back: false, close: false }

/** Which ways out a screen leaves open. Back also needs somewhere to go. */
const waysOut: { readonly [Name in ShownScreen]: (state: ScreenStates[Name]) => Ways } = {
  LANDING: () => everyWay,
  AWAITING_PASSWORDLESS_CODE: ({ status }) =>
    status === 'submitting-code' || status === 'done' ? onlyClose : everyWay,
  ERROR_SCREEN: () => everyWay,
  ALLOWLIST_REJECTION_SCREEN: () => onlyClose,
  ACCOUNT_NOT_FOUND_SCREEN: () => onlyClose,
  USER_LIMIT_REACHED_SCREEN: () => onlyClose,
  // A wallet that is half made is finished first; that takes seconds and has a deadline.
  EMBEDDED_WALLET_ON_ACCOUNT_CREATE_SCREEN: ({ status }) => (status === 'failed' ? onlyClose : noWay),
  EMBEDDED_WALLET_CREATED_SCREEN: () => onlyClose,
  EMBEDDED_WALLET_CONNECTING_SCREEN: () => onlyClose,
  EMBEDDED_WALLET_SIGN_REQUEST_SCREEN: ({ status }) => (status === 'signing' ? noWay : onlyClose),
  SIGNED_IN: () => noWay,
}

export function headerFlags({ screen, history }: Navigation, standalone: boolean): HeaderFlags {
  if (!screen) return { back: false, info: false, close: false }
  const ways = waysOut[screen.name] as (state: ScreenView['state']) => Ways
  const { back, close } = ways(screen.state)
  return { back: back && history.length > 0, info: false, close: close && !standalone }
}
