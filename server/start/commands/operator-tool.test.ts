/** `latchkey operator`, as an administrator of the server runs it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { startIssuer } from '../../login/oidc/testing/issuer.ts'
import { runCommand } from './command.ts'
import { operatorTool } from './operator-tool.ts'

const folder = mkdtempSync(join(tmpdir(), 'operators-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const secretFile = join(folder, 'secret')
writeFileSync(secretFile, 's3cret\n')

/** Arguments that set a provider, valid except for the changes. */
const provider = (changes: Readonly<Record<string, string>>) => [
  'oidc',
  'set',
  ...Object.entries({
    '--issuer': 'https://id.example',
    '--client-id': 'fieldnotes',
    '--client-secret-file': secretFile,
    '--name': 'Acme',
    '--group': 'staff=owner',
    ...changes,
  }).flat(),
]

forDefaultEngine((_, __, url) => {
  async function run(args: string[], changes: Readonly<Record<string, string>> = {}) {
    const printed: string[] = []
    const environment = {
      DATABASE_URL: url(),
      MASTER_KEY_FILE: join('/nowhere', 'master.key'),
      ADMIN_ORIGIN: 'https://admin.example',
      ...changes,
    }
    const ran = await runCommand(operatorTool, args, environment, (line) => void printed.push(line))
    return { ...ran, printed }
  }

  test('invites an owner first, lists and revokes operators', async () => {
    const { printed } = await run(['invite', 'Ada@Operator.example'])
    expect(printed).toEqual([
      expect.stringMatching(/^Link: {4}https:\/\/admin\.example\/invitation#[\w-]{24}\.[\w-]{43}$/),
      'Role:    owner, for every app',
      expect.stringMatching(/^Expires: \d{4}-/),
      'The link works once. Send it to the operator only, over a channel that you trust.',
    ])
    expect(await run(['invite', 'bob@operator.example'])).toMatchObject({
      ok: false,
      why: expect.stringMatching(/^An operator after the first one needs --role\./),
    })
    const invited = await run(['invite', 'bob@operator.example', '--role', 'viewer', '--json'])
    const { id, expires } = JSON.parse(invited.printed[0] ?? '')
    expect(Math.round((Date.parse(expires) - Date.now()) / 3_600_000)).toBe(24)
    expect((await run(['revoke', id])).printed).toEqual([`Revoked operator ${id}.`])
    expect((await run(['revoke', id])).printed).toEqual([`Operator ${id} is revoked already.`])
    const listed = (await run(['list'])).printed.join('\n')
    expect(listed).toMatch(/ada@operator\.example {2}owner {3}every app {2}passkey {2}invited +never/)
    expect(listed).toMatch(
      /bob@operator\.example {2}viewer {2}every app {2}passkey {2}revoked \d{4}-\d\d-\d\d {2}never/,
    )
  })

  test.each([
    [['invite', 'ada', '--role', 'owner'], 'ada is no e-mail address.'],
    [
      ['invite', 'eve@operator.example', '--role', 'root'],
      'There is no role root. Roles: owner, admin, developer, support, auditor, viewer.',
    ],
    [
      ['invite', 'eve@operator.example', '--role', 'owner', '--app', 'nope'],
      'There is no app with the id nope.',
    ],
    [
      ['invite', 'eve@operator.example', '--role', 'owner', '--expires', '169h'],
      'An invitation expires after 1 to 168 hours.',
    ],
    [['oidc', 'remove', 'x'], /^Usage: latchkey operator oidc/],
    [provider({ '--group': 'staff' }), '--group staff must be <group>=<role> or <group>=<role>:<app id>.'],
    [provider({ '--group': 'staff=root' }), /^--group staff=root must be/],
    [provider({ '--group': 'staff=owner:nope' }), 'There is no app with the id nope.'],
    [provider({ '--client-secret-file': '/nowhere/file' }), '/nowhere/file could not be read.'],
    [provider({ '--scope': 'a b' }), '--scope must be one scope.'],
    [provider({ '--issuer': 'http://id.example' }), /^http:\/\/id\.example is not an issuer/],
    [['admit', 'nope'], 'There is no operator with the id nope.'],
    [['revoke', 'nope'], 'There is no operator with the id nope.'],
  ])('refuses %j', async (args, why) => {
    const refusal = await run(args)
    expect(refusal).toMatchObject({
      ok: false,
      why: why instanceof RegExp ? expect.stringMatching(why) : why,
    })
  })

  test('sets, shows and removes the OpenID provider of operators', async () => {
    const issuer = await startIssuer('acme.localhost')
    onTestFinished(() => issuer.close())
    const keys = { MASTER_KEY_FILE: join(folder, 'master.key') }
    const args = provider({ '--issuer': issuer.issuer, '--group': 'staff=eu=support' })
    const { printed } = await run(args, keys)
    const lines = [
      'name     Acme',
      `issuer   ${issuer.issuer}`,
      'client   fieldnotes',
      'scopes   openid email profile',
      'claim    groups',
      'group    staff=eu: support, for every app',
      'redirect https://admin.example/sign-in/oidc',
      'logout   https://admin.example/admin/session/oidc/backchannel-logout',
    ]
    expect(printed).toEqual(lines)
    expect((await run(['oidc'])).printed).toEqual(lines)
    expect((await run(['oidc', 'remove'])).printed).toEqual([
      'Removed the OpenID provider of operators, and ended its sessions.',
    ])
    expect((await run(['oidc', 'show'])).printed).toEqual(['Operators have no OpenID provider.'])
  })

  test('refuses an invitation without the origin of the dashboard', async () => {
    expect(await run(['invite', 'eve@operator.example', '--role', 'owner'], { ADMIN_ORIGIN: '' })).toEqual({
      ok: false,
      why: 'Set ADMIN_ORIGIN, the origin at which operators open the dashboard.',
      printed: [],
    })
  })
})
