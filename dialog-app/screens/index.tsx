/** Which component draws which screen: one typed record, so that a missing screen does not compile. */
import type { ComponentType } from 'react'
import type { ScreenStates, ScreenView, ViewEvent } from '../flows/view-state.ts'
import { ACCOUNT_NOT_FOUND_SCREEN } from './ACCOUNT_NOT_FOUND_SCREEN.tsx'
import { ALLOWLIST_REJECTION_SCREEN } from './ALLOWLIST_REJECTION_SCREEN.tsx'
import { AWAITING_PASSWORDLESS_CODE } from './AWAITING_PASSWORDLESS_CODE.tsx'
import { EMBEDDED_WALLET_CONNECTING_SCREEN } from './EMBEDDED_WALLET_CONNECTING_SCREEN.tsx'
import { EMBEDDED_WALLET_CREATED_SCREEN } from './EMBEDDED_WALLET_CREATED_SCREEN.tsx'
import { EMBEDDED_WALLET_ON_ACCOUNT_CREATE_SCREEN } from './EMBEDDED_WALLET_ON_ACCOUNT_CREATE_SCREEN.tsx'
import { EMBEDDED_WALLET_SIGN_REQUEST_SCREEN } from './EMBEDDED_WALLET_SIGN_REQUEST_SCREEN.tsx'
import { ERROR_SCREEN } from './ERROR_SCREEN.tsx'
import { LANDING } from './LANDING.tsx'
import { SIGNED_IN } from './SIGNED_IN.tsx'
import type { ScreenProps } from './screen.ts'
import { USER_LIMIT_REACHED_SCREEN } from './USER_LIMIT_REACHED_SCREEN.tsx'

export const screens: { readonly [Name in keyof ScreenStates]: ComponentType<ScreenProps<Name>> } = {
  LANDING,
  AWAITING_PASSWORDLESS_CODE,
  ERROR_SCREEN,
  ALLOWLIST_REJECTION_SCREEN,
  ACCOUNT_NOT_FOUND_SCREEN,
  USER_LIMIT_REACHED_SCREEN,
  EMBEDDED_WALLET_ON_ACCOUNT_CREATE_SCREEN,
  EMBEDDED_WALLET_CREATED_SCREEN,
  EMBEDDED_WALLET_CONNECTING_SCREEN,
  EMBEDDED_WALLET_SIGN_REQUEST_SCREEN,
  SIGNED_IN,
}

type ShownScreenProps = { readonly view: ScreenView; readonly send: (event: ViewEvent) => void }

export function ShownScreen({ view, send }: ShownScreenProps) {
  // A name and its state come together, which TypeScript can not follow through a record.
  const Screen = screens[view.name] as ComponentType<{
    readonly state: ScreenView['state']
    readonly send: (event: ViewEvent) => void
  }>
  return <Screen state={view.state} send={send} />
}
