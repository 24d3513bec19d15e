import { answerFetch } from '@/server/answer-fetch';
import { createPinnedHop } from '@/server/pinned-hop';

export const dynamic = 'force-dynamic';

const hop = createPinnedHop();

export function POST(request: Request): Promise<Response> {
  return answerFetch(request, hop);
}
