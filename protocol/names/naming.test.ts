import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { apiRoutes } from '../api/index.ts'
import { linkedAccountSchema } from '../entities/index.ts'
import { fromWire, toWire } from './naming.ts'

const times = { verifiedAt: 1, firstVerifiedAt: 1, latestVerifiedAt: 2 }

describe('names on the wire', () => {
  it('are the names in code in snake_case', () => {
    const account = {
      type: 'wallet',
      address: '0xA',
      chainType: 'ethereum',
      walletClientType: 'latchkey',
      ...times,
    }
    const onWire = toWire(linkedAccountSchema, account)
    expect(onWire).toEqual({
      type: 'wallet',
      address: '0xA',
      chain_type: 'ethereum',
      wallet_client_type: 'latchkey',
      verified_at: 1,
      first_verified_at: 1,
      latest_verified_at: 2,
    })
    expect(fromWire(linkedAccountSchema, onWire)).toEqual(account)
  })

  it('are kept if the option that the discriminator selects keeps them', () => {
    expect(toWire(linkedAccountSchema, { type: 'phone', phoneNumber: '+1 2', ...times })).toMatchObject({
      phoneNumber: '+1 2',
    })
  })

  it('leave records unchanged', () => {
    const schema = v.object({ byApp: v.record(v.string(), v.string()) })
    expect(toWire(schema, { byApp: { someApp: 'x' } })).toEqual({ by_app: { someApp: 'x' } })
  })

  it('leave the undeclared fields of an open object unchanged', () => {
    const { body } = apiRoutes.analyticsEvent
    const event = {
      eventName: 'modal_open',
      clientId: null,
      payload: { clientTimestamp: 't', loginMethod: 'email' },
    }
    expect(toWire(body, event)).toEqual({
      event_name: 'modal_open',
      client_id: null,
      payload: { clientTimestamp: 't', loginMethod: 'email' },
    })
    expect(fromWire(body, toWire(body, event))).toEqual(event)
  })

  it('drop undeclared fields, including prototype names', () => {
    const schema = v.object({ text: v.string() })
    expect(fromWire(schema, JSON.parse('{"text":"x","__proto__":{"admin":true},"constructor":1}'))).toEqual({
      text: 'x',
    })
  })

  it('do not accept an array for an object, but rename inside allowed arrays', () => {
    const fields = v.object({ someText: v.exactOptional(v.string()) })
    for (const schema of [fields, v.nullable(fields), v.optional(fields), v.union([v.string(), fields])]) {
      expect(v.is(schema, fromWire(schema, []))).toBe(false)
      expect(v.is(schema, fromWire(schema, {}))).toBe(true)
    }
    const either = v.union([fields, v.array(fields)])
    expect(fromWire(either, [{ some_text: 'x' }])).toEqual([{ someText: 'x' }])
    expect(fromWire(either, { some_text: 'x' })).toEqual({ someText: 'x' })
  })
})
