/** Account enumeration: calls behave the same for known and unknown addresses. */
import type { CompiledQuery, KyselyPlugin } from 'kysely'
import { expect, test } from 'vitest'
import { testBrowser, testServer } from '../../identity/sessions/testing/browser.ts'
import { createTokenVerifier } from '../../identity/sessions/tokens/verifier.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { forEachEngine, rollsBackAtRandom } from '../../kernel/db/test-engines.ts'
import type { Reader } from '../../kernel/ports.ts'
import { testApp, testContext } from '../../testing/context.ts'

/** Records the statements: compiled ones unchanged, the others with their kind and tables. */
function recordingStatements(context: ServerContext) {
  const statements: string[] = []
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      const tables = JSON.stringify(node).matchAll(/"IdentifierNode","name":"(\w+)"/g)
      statements.push([node.kind, ...new Set(Array.from(tables, ([, name]) => name))].join(' '))
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const recording = <R extends Reader>(reader: R): R =>
    new Proxy(reader, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        if (name !== 'executeQuery') return value.bind(target)
        return (query: CompiledQuery) => {
          statements.push(query.sql)
          return target.executeQuery(query)
        }
      },
    })
  const transaction: ServerContext['transaction'] = (work) =>
    context.transaction((trx) => work(recording(trx.withPlugin(plugin))))
  return {
    context: { ...context, db: recording(context.db.withPlugin(plugin)), transaction },
    statements: () => statements.splice(0),
  }
}

forEachEngine((database) => {
  test.skipIf(rollsBackAtRandom)(
    'sends and wrong codes run the same statements with the same responses for known and unknown addresses',
    async () => {
      const context = await testContext(database(), {
        verifyToken: (own) => (token) => createTokenVerifier(own())(token),
      })
      const app = await testApp(context)
      const recorded = recordingStatements(context)
      const server = testServer(recorded.context)
      await testBrowser(server, context, app).login('ada@example.com')

      const probe = async (email: string) => {
        const browser = testBrowser(server, context, app)
        // The first call reads the app, its keys and its pages once.
        await browser.call('appStatus')
        recorded.statements()
        const sent = await browser.call('sendEmailCode', { body: { email } })
        const code = context.mails.at(-1)?.subject.startsWith('000000') ? '111111' : '000000'
        const refused = await browser.call('loginWithEmailCode', { body: { email, code } })
        return {
          answers: [sent, refused].map(({ status, answer }) => ({ status, answer })),
          statements: recorded.statements(),
        }
      }
      // A quota that was consumed a day ago shows only that there was a login, and expires now.
      context.clock.advanceSeconds(86_400)
      // The first call compiles the statements once.
      await probe('first@example.com')
      const known = await probe('ada@example.com')
      const unknown = await probe('new@example.com')
      expect(known.statements.length).toBeGreaterThan(3)
      expect(known).toEqual(unknown)
      expect(known.answers.map(({ status }) => status)).toEqual([200, 422])
      // A right code finds the user, which shows that the statements are recorded.
      const browser = testBrowser(server, context, app)
      await browser.login('ada@example.com')
      expect(recorded.statements().join('\n')).toContain('linked_accounts')
    },
  )
})
