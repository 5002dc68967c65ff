package io.tidemark.ingest.log;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Opens a log, says how that went, and waits to be killed.
 */
public final class OpenLog
{
    private OpenLog()
    {
    }

    /**
     * @param args directory of a log.
     * @throws IOException never.
     */
    public static void main(final String[] args) throws IOException
    {
        try (Log log = Log.open(Path.of(args[0]), System::currentTimeMillis))
        {
            System.out.println("open " + log.lastNumber());
            System.in.read();
        }
        catch (final LogException ex)
        {
            System.out.println(ex.getMessage());
        }
    }
}
