import { createElement, Fragment, type ReactNode } from 'react'
import type { LatchkeyState } from '../state/state.ts'
import { useApp, useStateOf } from './provider.ts'

export type ShowProps = {
  /** A function is asked with the state. */
  when: 'logged-in' | 'logged-out' | 'loading' | 'unreachable' | ((state: LatchkeyState) => boolean)
  fallback?: ReactNode
  children?: ReactNode
}

const conditions: Readonly<Record<Extract<ShowProps['when'], string>, (state: LatchkeyState) => boolean>> = {
  'logged-in': ({ user }) => user !== null,
  'logged-out': ({ status, user }) => status === 'ready' && user === null,
  loading: ({ status }) => status === 'loading',
  unreachable: ({ status }) => status === 'unreachable',
}

/** Draws its children while something is so, and else the fallback; nothing while it is not known who is logged in. */
export function Show({ when, fallback = null, children }: ShowProps): ReactNode {
  const shows = useStateOf((state) => {
    if (typeof when !== 'string') return when(state)
    const isAboutUser = when.startsWith('logged')
    return isAboutUser && state.user === null && state.status !== 'ready'
      ? undefined
      : conditions[when](state)
  })
  if (shows === undefined) return null
  return shows ? children : fallback
}

export type UserPillProps = {
  className?: string
  loginLabel?: ReactNode
  logoutLabel?: ReactNode
}

/** Who is logged in, with a way out, or a way in. It brings no style: `className` is on what it draws. */
export function UserPill({
  className,
  loginLabel = 'Log in',
  logoutLabel = 'Log out',
}: UserPillProps): ReactNode {
  const { actions } = useApp()
  const user = useStateOf((state) => state.user)
  const isLoading = useStateOf(({ status }) => status === 'loading')
  const button = (label: ReactNode, run: () => Promise<unknown>, more: object = {}) =>
    createElement('button', { type: 'button', onClick: () => void run().catch(() => {}), ...more }, label)
  if (!user) return button(loginLabel, () => actions.login(), { className, disabled: isLoading })
  return createElement(
    'span',
    { className },
    createElement(Fragment, null, createElement('span', null, user.displayName), ' '),
    button(logoutLabel, () => actions.logout()),
  )
}
