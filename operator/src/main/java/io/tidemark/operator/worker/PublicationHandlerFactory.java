package io.tidemark.operator.worker;

import io.tidemark.operator.change.RecordAppender;

/** Makes what turns publications into change-sets. */
@FunctionalInterface
public interface PublicationHandlerFactory
{
    /**
     * Makes it, standing before position 1.
     *
     * @param changes the change log.
     * @return the handler.
     */
    PublicationHandler create(RecordAppender changes);
}
