import net.openhft.chronicle.hash.VanillaGlobalMutableState;
import net.openhft.chronicle.values.Values;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Run by the build: writes the source of the one class that Chronicle Map would otherwise generate and compile in
 * every process that opens a map, which costs each of them a second and a compiler. Found on the class path, it is
 * taken from there.
 */
final class MapStateSource
{
    private MapStateSource()
    {
    }

    /**
     * Writes the source.
     *
     * @param args the directory of generated sources.
     * @throws IOException if it cannot be written.
     */
    public static void main(final String[] args) throws IOException
    {
        final ByteArrayOutputStream dump = new ByteArrayOutputStream();
        final PrintStream out = System.out;
        System.setProperty("chronicle.values.dumpCode", "true");
        System.setOut(new PrintStream(dump, true, StandardCharsets.UTF_8));
        final String name;
        try
        {
            name = Values.nativeClassFor(VanillaGlobalMutableState.class).getName();
        }
        finally
        {
            System.setOut(out);
        }

        final String dumped = dump.toString(StandardCharsets.UTF_8);
        final int start = dumped.indexOf("package " + VanillaGlobalMutableState.class.getPackageName() + ";");
        final int end = dumped.lastIndexOf("\n}");
        if (start < 0 || end < start)
        {
            throw new IllegalStateException("Chronicle Values dumped no source: " + dumped);
        }

        final Path file = Path.of(args[0], name.replace('.', '/') + ".java");
        Files.createDirectories(file.getParent());
        final String source = dumped.substring(start, end + 2) + "\n";
        Files.writeString(file, source.replace("\npublic class ", "\n@SuppressWarnings(\"rawtypes\")\npublic class "));
    }
}
