import { serve } from '@hono/node-server'
import { latchkeyAuth } from '@latchkey/server/hono'
import { Hono } from 'hono'
import { latchkey, page, port } from './latchkey.ts'

const app = new Hono()

app.get('/', (c) => c.html(page))

app.get('/api/me', latchkeyAuth(latchkey), (c) => c.json({ userId: c.get('latchkey').userId }))

serve({ fetch: app.fetch, port }, () => console.log(`http://localhost:${port}`))
