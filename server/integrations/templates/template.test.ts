import type { MessageKind, MessageTemplate } from '@latchkey/protocol/admin'
import { describe, expect, test } from 'vitest'
import { assertTemplate, fillHtml, fillText } from './template.ts'

const template = {
  subject: '{{code}} opens {{app}}',
  heading: 'Welcome back to {{app}}',
  blocks: ['Hello! Here is your code:', '{{code}}'],
}

function readProblem(changes: Partial<MessageTemplate>, kind: MessageKind = 'login_code') {
  try {
    assertTemplate(kind, { ...template, ...changes })
    return undefined
  } catch (error) {
    const { code, path } = Object(error)
    return { code, path }
  }
}
const refused = (code: string, path: string) => ({ code, path })

test('accepts a template of each kind', () => {
  const textOnly = { subject: null, heading: null }
  expect(readProblem({})).toBeUndefined()
  expect(readProblem({}, 'confirmation_code')).toBeUndefined()
  expect(
    readProblem({ ...textOnly, blocks: ['{{code}} is for {{app}}'] }, 'confirmation_code_sms'),
  ).toBeUndefined()
  expect(readProblem({ ...textOnly, blocks: ['Ask us in {{app}}.'] }, 'notice')).toBeUndefined()
})

test('refuses a code message without {{code}} in its blocks', () => {
  expect(readProblem({ blocks: ['Hello'] })).toEqual(refused('code_placeholder_missing', 'blocks'))
})

test.each<[Partial<MessageTemplate>, string]>([
  [{ subject: '{{name}}' }, 'subject'],
  [{ heading: '{{code}}' }, 'heading'],
  [{ blocks: ['{{code}}', '{{ app }}'] }, 'blocks.1'],
  [{ blocks: ['{{code}}', 'open {{'] }, 'blocks.1'],
  [{ blocks: ['{{code}}', '{{constructor}}'] }, 'blocks.1'],
])('refuses the unknown placeholder in %j', (changes, path) => {
  expect(readProblem(changes)).toEqual(refused('unknown_placeholder', path))
})

test('a notice has no code', () => {
  const notice = { subject: null, heading: null, blocks: ['{{code}}'] }
  expect(readProblem(notice, 'notice')).toEqual(refused('unknown_placeholder', 'blocks.0'))
})

test.each([
  'https://evil.example',
  'HTTPS://evil',
  'see www.evil.example/login',
  'evil.example',
  'evil\uFF0Eexample',
  'ev\u200Cil.\u200Cexample',
  '{{app}}.example',
  'ada@evil.example',
  'mailto:ada',
  'tel:+12025550123',
  'javascript:alert(1)',
  '10.0.0.1',
  'пример.рф',
  'evil.xn--p1ai',
])('refuses the link %j', (link) => {
  expect(readProblem({ blocks: ['{{code}}', `Go to ${link} now`] })).toEqual(
    refused('link_not_allowed', 'blocks.1'),
  )
})

test.each(['Valid for 1.5 minutes. Then ask again.', 'e.g. on your phone', 'z.B. hier', 'الرمز: {{code}}.'])(
  'accepts %j, which is no link',
  (block) => {
    expect(readProblem({ blocks: ['{{code}}', block] })).toBeUndefined()
  },
)

test.each([
  'a\nb',
  'a\u0000b',
  'a\u202Eb',
  'a\u2066b',
  'a\u200Fb',
  'a\u2028b',
  'a\uFEFFb',
  'a\uE000b',
  '\uD800',
])('refuses the invisible character in %j', (block) => {
  expect(readProblem({ blocks: ['{{code}}', block] })).toEqual(refused('character_not_allowed', 'blocks.1'))
})

describe('bounds', () => {
  test.each<[Partial<MessageTemplate>, MessageKind, string]>([
    [{ subject: null }, 'login_code', 'subject'],
    [{ heading: ' ' }, 'login_code', 'heading'],
    [{ subject: 'a'.repeat(121) }, 'login_code', 'subject'],
    [{ blocks: [] }, 'login_code', 'blocks'],
    [{ blocks: Array(7).fill('{{code}}') }, 'login_code', 'blocks'],
    [{ blocks: ['{{code}}', 'a'.repeat(501)] }, 'login_code', 'blocks.1'],
    [{}, 'notice', 'subject'],
    [{ subject: null, heading: null, blocks: ['{{code}}'.repeat(21)] }, 'confirmation_code_sms', 'blocks.0'],
  ])('refuses %j in %s', (changes, kind, path) => {
    expect(readProblem(changes, kind)).toEqual(refused('invalid_data', path))
  })
})

test('filling escapes words and values, and does not fill a placeholder within a value', () => {
  const values = { app: '<b>{{code}}', code: '123456' }
  expect(fillText('{{app}}: {{code}}', values)).toBe('<b>{{code}}: 123456')
  expect(String(fillHtml('<i>{{app}}</i> {{code}}', values))).toBe(
    '&lt;i&gt;<bdi>&lt;b&gt;{{code}}</bdi>&lt;/i&gt; <strong dir="ltr">123456</strong>',
  )
})
