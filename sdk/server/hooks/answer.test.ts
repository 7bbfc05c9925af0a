/** Answers questions that the package standardwebhooks signs. */
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { answerHook, type HookHandlers } from './answer.ts'

const nowMs = Date.UTC(2026, 10, 30)
const id = 'msg_2kzHkDjwnm3ZpnFk5Q0Yw1Qc'
const secret = `whsec_${btoa('a secret of thirty-two characters')}`

function answer(type: string, handlers: HookHandlers, { signedWith = secret, atMs = nowMs } = {}) {
  const body = JSON.stringify({
    type,
    timestamp: '2026-11-30T00:00:00.000Z',
    data: { app_id: 'app', user_id: 'usr_ada', session_id: 'ses_1' },
  })
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(nowMs / 1_000),
    'webhook-signature': new Webhook(signedWith).sign(id, new Date(nowMs), body),
  }
  const request = new Request('https://host.example/hooks', { method: 'POST', headers, body })
  return answerHook(request, secret, handlers, { nowMs: () => atMs })
}

test('returns the answer of the handler with the id of the question', async () => {
  const response = await answer('token.claims', {
    'token.claims': ({ data }) => ({ claims: { member: data.user_id } }),
  })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  expect(await response.json()).toEqual({ id, claims: { member: 'usr_ada' } })
})

test.each([
  [
    'a forged question',
    { signedWith: `whsec_${btoa('another one, also of 32 characters')}` },
    'invalid_signature',
  ],
  ['an old question', { atMs: nowMs + 301_000 }, 'outside_tolerance'],
])('answers 400 to %s without calling a handler', async (_what, changes, code) => {
  const handlers = { 'login.before': () => Promise.reject(new Error('called')) }
  const response = await answer('login.before', handlers, changes)
  expect([response.status, await response.json()]).toMatchObject([400, { code }])
})

test.each(['message.send', 'constructor'])('answers 404 to %s without a handler', async (type) => {
  const response = await answer(type, { 'login.before': () => ({ decision: 'allow' }) })
  expect([response.status, await response.json()]).toMatchObject([404, { code: 'not_found' }])
})

test('rejects if the handler does', async () => {
  const failure = new Error('the database is gone')
  await expect(answer('login.before', { 'login.before': () => Promise.reject(failure) })).rejects.toBe(
    failure,
  )
})
