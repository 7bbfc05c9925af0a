import { expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { confirmedIn, makeFixture, watch } from '../../testing/fixture.ts'
import { makeAuthAnswer, walletUser } from '../../testing/fixtures.ts'
import { renderDialog } from '../../testing/page.tsx'

async function sign(app: { enforceWalletUis: boolean; legacyWalletUiConfig: boolean }) {
  const asked: unknown[] = []
  const fixture = await makeFixture({
    app,
    config: { embeddedWallets: { noPromptOnSignature: true } },
    wallet: {
      // As the server has it that lets this app sign without a screen.
      async confirm(_address, _request, asker) {
        asked.push(asker?.place)
        return confirmedIn(asker?.place === 'silent' ? 'silent' : 'frame')
      },
    },
  })
  fixture.session.accept(makeAuthAnswer({ user: walletUser }))
  const page = renderDialog(fixture)
  const signed = watch(fixture.signMessage({ message: 'Hello' }))
  await settle()
  return { fixture, page, asked, signed }
}

const legacySetting = [false, true]

// spec L3.24
test.each(legacySetting)(
  'a host that wants no prompts gets them all the same in an app that enforces them, legacyWalletUiConfig: %j',
  async (legacyWalletUiConfig) => {
    const { page, asked, signed } = await sign({ enforceWalletUis: true, legacyWalletUiConfig })
    await page.see('Sign message')
    expect(asked).toEqual(['frame'])
    expect(signed.settled).toBe(false)
  },
)

// spec L3.24
test.each(legacySetting)(
  'and none in one that does not, legacyWalletUiConfig: %j',
  async (legacyWalletUiConfig) => {
    const { fixture, asked, signed } = await sign({ enforceWalletUis: false, legacyWalletUiConfig })
    expect(fixture.views.filter(({ open }) => open)).toEqual([])
    expect(asked).toEqual(['silent'])
    expect(signed.value).toMatchObject({ signature: '0xsigned' })
  },
)
