/** The Python code of docs/webhooks.md verifies our signatures, with the standard library of Python only. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createEmbeddedKms } from '../../kernel/keys/kms.ts'
import { newMasterKey } from '../../kernel/keys/master-key.ts'
import { createSecret, formatSecret, openSecret, signDelivery } from './signing.ts'

const hasPython = spawnSync('python3', ['--version']).status === 0
if (!hasPython) process.stderr.write('Skipped: python3 is missing, so no Python code verifies a webhook.\n')

const page = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8')
const [, documented = ''] = /```python\n([\s\S]*?)```/.exec(page) ?? []
const program = `${documented}
import json, sys
for each in json.load(sys.stdin):
    print(is_authentic(each["secret"], each["headers"], each["body"].encode()))
`

test.skipIf(!hasPython)(
  'accepts a signed delivery, also during a rotation, and rejects changed ones',
  async () => {
    const masterKey = newMasterKey()
    const kms = createEmbeddedKms(() => [masterKey])
    const newSecret = async () => openSecret(kms, await createSecret(kms, 'app', 'whk_1'))
    const [current, earlier, other] = await Promise.all([newSecret(), newSecret(), newSecret()])
    const body = JSON.stringify({ type: 'user.created', data: { name: 'Zoë' } })
    const headers = signDelivery([current, earlier], { id: 'msg_1', timestamp: 1_764_460_800, body })
    const delivery = { secret: formatSecret(current).secret, headers, body }
    const cases = [
      delivery,
      { ...delivery, secret: formatSecret(earlier).secret },
      { ...delivery, secret: formatSecret(other).secret },
      { ...delivery, body: body.replace('Zoë', 'Zoe') },
      { ...delivery, headers: { ...headers, 'webhook-id': 'msg_2' } },
      { ...delivery, headers: { ...headers, 'webhook-timestamp': '1764460801' } },
    ]
    const run = spawnSync('python3', ['-I', '-c', program], {
      input: JSON.stringify(cases),
      encoding: 'utf8',
    })
    expect(run.stderr).toBe('')
    expect(run.stdout.trim().split('\n')).toEqual(['True', 'True', 'False', 'False', 'False', 'False'])
  },
)
