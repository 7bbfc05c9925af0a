import { adminImportRoutes, adminUserRoutes } from '@latchkey/protocol/admin'
import { expect, test } from 'vitest'
import { toCurl } from './curl.ts'

const origin = 'https://admin.example'
const params = { app: 'a1', user: 'usr_1' }

test('prints a read with its query in wire names', () => {
  const query = { externalId: 'c 42', blocked: undefined }
  expect(toCurl(adminUserRoutes.listUsers, { params, query }, origin)).toBe(
    `curl -H "Authorization: Bearer $LATCHKEY_KEY" 'https://admin.example/admin/v1/apps/a1/users?external_id=c+42'`,
  )
})

test('quotes a body so that a shell runs nothing in it', () => {
  const body = { blocked: { reason: "it's $(reboot)" } }
  expect(toCurl(adminUserRoutes.updateUser, { params, body }, origin)).toBe(
    `curl -X PATCH -H "Authorization: Bearer $LATCHKEY_KEY" -H 'Content-Type: application/json' -d '{"blocked":{"reason":"it'\\''s $(reboot)"}}' 'https://admin.example/admin/v1/apps/a1/users/usr_1'`,
  )
})

test('encodes ids in the path', () => {
  const { getUser } = adminUserRoutes
  expect(toCurl(getUser, { params: { app: 'a1', user: "../x'" } }, origin)).toContain(
    "'https://admin.example/admin/v1/apps/a1/users/..%2Fx'\\'''",
  )
})

test('sends an upload from a file', () => {
  const file = { content: new Blob(['id\n1\n']), type: 'text/csv' }
  expect(
    toCurl(adminImportRoutes.uploadImportPart, { params: { import: 'imp_1', part: '2' }, file }, origin),
  ).toBe(
    `curl -X PUT -H "Authorization: Bearer $LATCHKEY_KEY" -H 'Content-Type: text/csv' --data-binary @file 'https://admin.example/admin/v1/imports/imp_1/parts/2'`,
  )
})
