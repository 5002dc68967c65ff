/**
 * The only place that knows Chronicle Map: fixed-size pages at addresses that stay.
 *
 * <p>{@link io.tidemark.store.page.PageStore} creates maps as they are needed, each twice the size of the one before,
 * so that nothing is allocated for state that never comes, and hands out the address of a page once. The address is
 * remembered by the owner (a map look-up costs tens to hundreds of nanoseconds, a remembered address a few).
 */
package io.tidemark.store.page;
