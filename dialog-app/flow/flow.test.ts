import { expect, test } from 'vitest'
import { exitCodes } from './flow.ts'

test('each kind of flow has a code for being closed', () => {
  expect(exitCodes).toEqual({
    login: 'exited_auth_flow',
    link: 'exited_link_flow',
    approval: 'user_rejected_request',
    password: 'user_exited_set_password_flow',
  })
})
