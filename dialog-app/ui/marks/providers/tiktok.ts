import type { MarkDrawing } from '../mark.tsx'

export const tiktok: MarkDrawing = [
  {
    fill: 'currentColor',
    path: 'M11 2h2.6c.2 2.1 1.5 3.5 3.6 3.7v2.6c-1.3 0-2.5-.4-3.6-1.1v5.5c0 3.2-2.2 5.3-5 5.3-2.8 0-5-2.2-5-5 0-2.9 2.4-5.1 5.4-4.9v2.7c-1.5-.3-2.7.8-2.7 2.2 0 1.3 1 2.3 2.3 2.3 1.4 0 2.4-1 2.4-2.6Z',
  },
]
