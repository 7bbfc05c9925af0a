import { createElement, Fragment, type ReactNode } from 'react'
import type { LatchkeyState } from '../state/state.ts'
import { useApp, useSelector } from './provider.ts'

export type ShowProps = {
  /** A condition. Functions receive the state. */
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

/**
 * Renders its children if the condition is true, otherwise the fallback. Renders nothing until the user is
 * known.
 */
export function Show({ when, fallback = null, children }: ShowProps): ReactNode {
  const shows = useSelector((state) => {
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

/**
 * Renders the user's name with a logout button, or a login button. Unstyled; `className` applies to its root.
 */
export function UserPill({
  className,
  loginLabel = 'Log in',
  logoutLabel = 'Log out',
}: UserPillProps): ReactNode {
  const { actions } = useApp()
  const user = useSelector((state) => state.user)
  const isLoading = useSelector(({ status }) => status === 'loading')
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
