/** Verifies the steps of additions: each is made in a copy of the project, by the documented edits, and then works. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Outcome } from '../processes/run.ts'
import { copyProject, type ProjectCopy } from './testing/project-copy.ts'

const deadlineMs = 300_000

const serverRow = `{
    ...defaults,
    issuer: 'https://id.guest.example',
    authorization: 'https://id.guest.example/authorize',
    token: 'https://id.guest.example/token',
    scopes: ['openid', 'email', 'profile'],
    profile: {
      from: 'id token',
      jwks: 'https://id.guest.example/jwks',
      read(claims) {
        const { sub, name, email, email_verified } = v.parse(openIdClaims, claims)
        return { subject: sub, fields: { name, email: verifiedEmail(email, email_verified) } }
      },
    },
  }`
const sandboxRow = `{
    ...google,
    title: 'Guest ID',
    authorize: 'id.guest.example/authorize',
    token: 'id.guest.example/token',
    jwks: 'id.guest.example/jwks',
  }`

let copy: ProjectCopy
beforeAll(() => {
  copy = copyProject()
})
afterAll(() => copy.remove())

/** Includes the whole output of a failure in the report. */
const problem = ({ ok, output }: Outcome) => (ok ? undefined : output)

test(
  'an OAuth provider requires a name and a row in the protocol, a row in the server, and a logo',
  async () => {
    copy.replace(
      'protocol/entities/social-providers.ts',
      "  tiktok: 'Tiktok'",
      "  guest: 'Guest',\n  tiktok: 'Tiktok'",
    )
    copy.replace(
      'protocol/entities/social-providers.ts',
      "  tiktok: { title: 'TikTok'",
      "  guest: { title: 'Guest ID', fields: ['email', 'name'] },\n  tiktok: { title: 'TikTok'",
    )
    copy.replace('server/login/oauth/providers.ts', '  tiktok,\n}', `  tiktok,\n  guest: ${serverRow},\n}`)
    // Not in the product: the simulated provider of the sandbox.
    copy.replace('sandbox/oauth/providers.ts', '  tiktok,\n}', `  tiktok,\n  guest: ${sandboxRow},\n}`)
    copy.replace(
      'dialog-app/ui/marks/brands/social-providers.ts',
      '  tiktok: [',
      "  guest: [{ fill: 'currentColor', path: 'M2 2h16v16H2Z' }],\n  tiktok: [",
    )
    expect(copy.changed()).toEqual([
      'dialog-app/ui/marks/brands/social-providers.ts',
      'protocol/entities/social-providers.ts',
      'sandbox/oauth/providers.ts',
      'server/login/oauth/providers.ts',
    ])

    copy.place(
      'server/login/oauth/testing/guest-provider.ts',
      'server/login/oauth/testing/guest-provider.test.ts',
    )
    copy.place(
      'dialog-app/testing/guest/guest-provider.ts',
      'dialog-app/testing/guest/guest-provider.test.tsx',
    )
    const outcome = await copy.test(
      'server/login/oauth/testing/guest-provider.test.ts',
      'dialog-app/testing/guest/guest-provider.test.tsx',
      'dialog-app/ui/marks/marks.test.ts',
    )
    expect(problem(outcome)).toBeUndefined()

    const calls = await copy.evaluate(
      "import { calls } from './loader/client/calls.ts'; console.log(Object.keys(calls).join(' '))",
    )
    expect(calls.output.split(' ')).toEqual(
      expect.arrayContaining(['linkGuest', 'unlinkGuest', 'linkGoogle']),
    )
  },
  deadlineMs,
)

test(
  'a language requires only a file of texts',
  async () => {
    const path = 'protocol/texts/locales/eo.arb'
    const isOfGuest = (key: string) => key.startsWith('testing-guest')
    const english: Readonly<Record<string, string>> = JSON.parse(
      (
        await copy.evaluate(`
          import { englishCatalogues } from './protocol/texts/catalogues.ts'
          const flat = (messages, path) => Object.entries(messages).flatMap(([name, each]) =>
            Array.isArray(each.elements) ? [[[...path, name].join('.'), each.text]] : flat(each, [...path, name]))
          const all = englishCatalogues('.').flatMap(({ name, messages }) => flat(messages, [name]))
          console.log(JSON.stringify(Object.fromEntries(all)))
        `)
      ).output,
    )
    const translated = Object.entries(english)
      .filter(([key]) => !isOfGuest(key))
      .map(([key, text]) => [key, `Eo: ${text}`])
    copy.write(path, JSON.stringify({ '@@locale': 'eo', ...Object.fromEntries(translated) }))

    const problems = await copy.evaluate(
      "import { writeTypes } from './protocol/texts/write-types.ts'; console.log(JSON.stringify(writeTypes()))",
    )
    expect(problems.output).toBe('[]')
    copy.place('dialog-app/testing/guest/guest-locale.ts', 'dialog-app/testing/guest/guest-locale.test.ts')
    const read = await copy.test('dialog-app/testing/guest/guest-locale.test.ts')
    expect(problem(read)).toBeUndefined()

    const incomplete = translated.filter(([key]) => key !== 'terms.consent.title')
    copy.write(path, JSON.stringify(Object.fromEntries(incomplete)))
    const lacking = await copy.evaluate(
      "import { writeTypes } from './protocol/texts/write-types.ts'; console.log(JSON.stringify(writeTypes()))",
    )
    expect(JSON.parse(lacking.output)).toEqual(['eo: terms.consent.title is missing'])
  },
  deadlineMs,
)
