from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST
from redis.exceptions import RedisError

from conversations import user_texts
from conversations.models import Message
from conversations.reply import runner
from conversations.web.own_rows import own_message
from conversations.web.responses import composer_note
from meddie.threads import run_db
from people.access import PageRequest, signed_in


@require_POST
@signed_in
async def stop(request: PageRequest, pk: UUID) -> HttpResponse:
    reply = await run_db(own_message, request.user, pk, role=Message.Role.ASSISTANT)
    try:
        await runner.stop(reply.pk)
    except RedisError:
        return composer_note(user_texts.NO_STOP, 503)
    if request.htmx:
        return HttpResponse(status=204)
    return redirect("conversations:show", reply.conversation_id)
