import { getAuth, latchkeyAuth } from '@latchkey/server/express'
import express from 'express'
import { latchkey, page, port } from './latchkey.ts'

const app = express()

app.get('/', (_request, response) => response.type('html').send(page))

app.use('/api', latchkeyAuth(latchkey))
app.get('/api/me', (request, response) => response.json({ userId: getAuth(request)?.userId }))

app.listen(port, () => console.log(`http://localhost:${port}`))
