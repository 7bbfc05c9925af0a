import '../ui/tokens.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from '../api/queries.ts'
import { createDashboardRouter } from './router.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no #root')
createRoot(root).render(
  <QueryClientProvider client={createQueryClient()}>
    <RouterProvider router={createDashboardRouter()} />
  </QueryClientProvider>,
)
