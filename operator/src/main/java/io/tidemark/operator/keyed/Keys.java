package io.tidemark.operator.keyed;

import io.tidemark.operator.change.RowImage;
import io.tidemark.store.Arena;
import io.tidemark.store.HashIndex;
import io.tidemark.store.RowCursor;
import io.tidemark.store.Slot;
import io.tidemark.store.Slots;
import java.nio.charset.StandardCharsets;
import org.agrona.UnsafeApi;

/** The keys of all slots: finding, making and freeing their blocks, and how many rows they hold in all. */
public final class Keys
{
    private final Slots slots;
    private final RowCursor cursor = new RowCursor();
    private final int[] freed;
    private final int[] created;
    private long rows;
    private long keys;

    public Keys(final Slots slots)
    {
        this.slots = slots;
        this.freed = new int[slots.count()];
        this.created = new int[slots.count()];
    }

    public Slots slots()
    {
        return slots;
    }

    /** Rows and tombstones in state, those that are gone but not taken out yet included. */
    public long rows()
    {
        return rows;
    }

    /** Keys in state. */
    public long count()
    {
        return keys;
    }

    /** Changes whenever a key of a slot is freed: what was a key's block before may be another's, or something else. */
    int freed(final Slot slot)
    {
        return freed[slot.number()];
    }

    /** Changes whenever a key of a slot is made: what was not there before may be. */
    int created(final Slot slot)
    {
        return created[slot.number()];
    }

    /** Takes the totals from the slots, which have just been installed. */
    public void recount()
    {
        rows = 0;
        keys = 0;
        for (int number = 0; number < slots.count(); number++)
        {
            final Slot slot = slots.existing(number);
            if (slot != null)
            {
                rows += SlotDescriptor.rows(slot);
                keys += slot.keys().size();
            }
        }
    }

    public void added(final Slot slot)
    {
        rows++;
        SlotDescriptor.addRows(slot, 1);
    }

    public void removed(final Slot slot, final int count)
    {
        rows -= count;
        SlotDescriptor.addRows(slot, -count);
    }

    /** The hash of an id on a side: never 0, its lowest bit the side. */
    public static int idHash(final int side, final long id, final int length)
    {
        return ((int)(KeyHash.hash(id, length) >>> 32) & ~1) | 2 | side;
    }

    /** The hash of the id of a row image. */
    public static int idHash(final int side, final long image)
    {
        return idHash(side, image + RowImage.ID_OFFSET, RowImage.idLength(image));
    }

    public static int side(final int idHash)
    {
        return idHash & 1;
    }

    /** Reference of a key's block, or 0. */
    public int find(final Slot slot, final int hash, final long bytes, final int length)
    {
        final HashIndex index = slot.keys();
        final Arena arena = slot.arena();
        int ref = index.first(hash);
        while (ref != 0 && !KeyDescriptor.isKey(arena.address(ref), bytes, length))
        {
            ref = index.next();
        }
        return ref;
    }

    public int create(final Slot slot, final int hash, final long bytes, final int length)
    {
        return create(slot, KeyDescriptor.classFor(length), hash, bytes, length);
    }

    /** As {@link #create}, with room for a first leaf of rows beside the key. */
    public int createWithHome(final Slot slot, final int hash, final long bytes, final int length)
    {
        return create(slot, KeyDescriptor.classWithHome(length), hash, bytes, length);
    }

    private int create(final Slot slot, final int sizeClass, final int hash, final long bytes, final int length)
    {
        final int ref = slot.arena().allocate(sizeClass);
        KeyDescriptor.init(slot.arena().writable(ref), sizeClass, hash, bytes, length);
        slot.keys().insert(hash, ref);
        keys++;
        created[slot.number()]++;
        return ref;
    }

    public void free(final Slot slot, final int ref)
    {
        final long key = slot.arena().address(ref);
        assert KeyDescriptor.root(key, 0) == 0 && KeyDescriptor.root(key, 1) == 0;
        slot.keys().remove(KeyDescriptor.hash(key), ref);
        slot.arena().free(ref, KeyDescriptor.sizeClass(key));
        keys--;
        freed[slot.number()]++;
    }

    /** Adds every key to a list, with no clocks. */
    public void forEach(final KeyRefs list)
    {
        for (int number = 0; number < slots.count(); number++)
        {
            final Slot slot = slots.existing(number);
            for (int place = 0; slot != null && place < slot.keys().places(); place++)
            {
                for (int entry = 0; entry < slot.keys().entries(place); entry++)
                {
                    final int ref = slot.keys().refAt(place, entry);
                    if (ref != 0)
                    {
                        list.add(number, ref, 0, 0);
                    }
                }
            }
        }
    }

    /** Names the key that holds most, for the message of a full state; looks at every row. */
    public String heaviest()
    {
        final KeyRefs all = new KeyRefs();
        forEach(all);
        long most = 0;
        String name = "";
        for (int i = 0; i < all.size(); i++)
        {
            final Slot slot = slots.existing(all.slot(i));
            final long key = slot.arena().address(all.key(i));
            long count = 0;
            for (int side = 0; side < 2; side++)
            {
                boolean more = slot.rows().first(cursor, KeyDescriptor.root(key, side));
                while (more)
                {
                    count++;
                    more = slot.rows().next(cursor);
                }
            }
            final String text = text(key + KeyDescriptor.KEY, KeyDescriptor.keyLength(key));
            if (count > most || (count == most && text.compareTo(name) < 0))
            {
                most = count;
                name = text;
            }
        }
        all.close();
        return "key '" + name + "' holds most, " + most + " of them";
    }

    public static String text(final long address, final int length)
    {
        final byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++)
        {
            bytes[i] = UnsafeApi.getByte(address + i);
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
