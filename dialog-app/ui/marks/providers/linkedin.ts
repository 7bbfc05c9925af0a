import type { MarkDrawing } from '../mark.tsx'

export const linkedin: MarkDrawing = [
  { fill: '#0a66c2', path: 'M4 2h12a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2Z' },
  {
    fill: '#fff',
    path: 'M4.6 5.9a1.3 1.3 0 1 0 2.6 0a1.3 1.3 0 1 0-2.6 0M4.8 8.2H7v7H4.8ZM8.6 8.2h2.1v1c.4-.7 1.2-1.2 2.2-1.2 2 0 2.7 1.3 2.7 3.1v4.1h-2.2v-3.7c0-.9-.2-1.6-1.2-1.6s-1.4.7-1.4 1.6v3.7H8.6Z',
  },
]
