import { expect, test } from 'vitest'
import { idleLoginMethods } from './idle-login-methods.ts'

test('a name that is of no method is told once, whatever list it is in', () => {
  const primary = ['email', 'metamask']
  expect(
    idleLoginMethods({ loginMethodsAndOrder: { primary, overflow: ['metamask', 'constructor'] } }),
  ).toEqual([
    'The login method "metamask" is on, but this release of Latchkey does not have it.',
    'The login method "constructor" is on, but this release of Latchkey does not have it.',
  ])
})

test('methods are not told of', () => {
  expect(idleLoginMethods({ loginMethods: ['email', 'wallet', 'telegram'] })).toEqual([])
  expect(idleLoginMethods({})).toEqual([])
  expect(idleLoginMethods({ loginMethods: ['latchkey:lkdemo0000000000000000002'] })).toEqual([])
  expect(idleLoginMethods({ loginMethodsAndOrder: { primary: ['latchkey:short'] } })).toHaveLength(1)
})
