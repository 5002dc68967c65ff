package io.tidemark.ingest.log;

/**
 * Says in a sentence which JVM flag is missing, before the first file mapping fails with something obscure.
 */
public final class JvmFlags
{
    private static final String[] OPENED =
        {"java.io", "java.lang", "java.lang.reflect", "java.nio", "java.util", "sun.nio.ch", "jdk.internal.misc"};
    private static final String[] EXPORTED = {"jdk.internal.ref", "sun.nio.ch"};

    private JvmFlags()
    {
    }

    /**
     * Checks that this JVM was started with what the logs need.
     *
     * @throws LogException naming the first flag that is missing.
     */
    public static void check()
    {
        final Module base = Object.class.getModule();
        final Module ours = JvmFlags.class.getModule();
        for (final String name : OPENED)
        {
            if (!base.isOpen(name, ours))
            {
                throw missing("--add-opens=java.base/" + name + "=ALL-UNNAMED");
            }
        }
        for (final String name : EXPORTED)
        {
            if (!base.isExported(name, ours))
            {
                throw missing("--add-exports=java.base/" + name + "=ALL-UNNAMED");
            }
        }
    }

    private static LogException missing(final String flag)
    {
        return new LogException("this JVM was started without " + flag +
            ", which the logs need to map files; ops/bin/tidemark sets all flags, other programs find them in " +
            "ops/build/jvm-flags");
    }
}
