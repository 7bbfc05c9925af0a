import { createElement, StrictMode, Suspense } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import {
  LatchkeyProvider,
  Show,
  UserPill,
  useLatchkey,
  useLogin,
  useSolanaWallets,
  useWallets,
} from './react.ts'

const appId = 'lkdemo0000000000000000001'
const dialogUrl = 'https://dialog.example'

function All() {
  const { ready, authenticated, user, isModalOpen } = useLatchkey()
  const ethereum = useWallets()
  const solana = useSolanaWallets()
  return (
    <output>
      {JSON.stringify({
        ready,
        authenticated,
        user,
        isModalOpen,
        wallets: [...ethereum.wallets, ...solana.wallets],
        walletsReady: ethereum.ready,
      })}
    </output>
  )
}

let calling: Promise<unknown> | undefined
function Caller() {
  const { login } = useLogin()
  calling = login()
  return null
}

const drawn = (children: React.ReactNode) =>
  renderToString(
    <StrictMode>
      <LatchkeyProvider appId={appId} dialogUrl={dialogUrl}>
        <Suspense>{children}</Suspense>
      </LatchkeyProvider>
    </StrictMode>,
  ).replace(/<!--.*?-->/g, '')

describe('the React components on a server', () => {
  it('render the loading state', () => {
    expect(drawn(<All />).replaceAll('&quot;', '"')).toBe(
      '<output>{"ready":false,"authenticated":false,"user":null,"isModalOpen":false,"wallets":[],"walletsReady":false}</output>',
    )
  })

  it('render neither the logged-in nor the logged-out children', () => {
    expect(
      drawn(
        <>
          <Show when="logged-in" fallback="visitor">
            user
          </Show>
          <Show when="logged-out">visitor</Show>
          <Show when="loading">wait</Show>
          <Show when={({ status }) => status === 'loading'}>likewise</Show>
        </>,
      ),
    ).toBe('waitlikewise')
  })

  it('render a disabled login button', () => {
    expect(drawn(<UserPill className="pill" />)).toBe(
      '<button type="button" class="pill" disabled="">Log in</button>',
    )
  })

  it('reject calls with a code, without side effects', async () => {
    drawn(<Caller />)
    await expect(calling).rejects.toMatchObject({ code: 'not_supported' })
    expect('window' in globalThis).toBe(false)
  })
})

it('a hook outside of the provider throws an error with instructions', () => {
  expect(() => renderToString(createElement(All))).toThrow(
    'must be used within <LatchkeyProvider appId="…" dialogUrl="…">. Wrap your app',
  )
})
