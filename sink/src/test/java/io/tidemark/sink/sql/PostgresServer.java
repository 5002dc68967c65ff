package io.tidemark.sink.sql;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.tukaani.xz.XZInputStream;

/**
 * A real PostgreSQL of the tests' own, from binaries that come as a library: one a JVM, a schema a test. The server
 * refuses to run as root, so a root that tests hands it to nobody.
 */
public final class PostgresServer
{
    static final String USER = "tidemark";

    private static final String ARCHIVE = "/postgres-linux-x86_64.txz";
    private static final int NOBODY = 65_534;
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private static PostgresServer shared;

    private final Path home;
    private final Path data;
    private final int port;
    private final boolean isRoot;

    private PostgresServer() throws IOException
    {
        isRoot = ((Integer)Files.getAttribute(Path.of("/proc/self"), "unix:uid")) == 0;
        home = Files.createTempDirectory("tidemark-postgres-");
        data = home.resolve("data");
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            port = free.getLocalPort();
        }
    }

    /** The server of this JVM, running. */
    public static synchronized PostgresServer shared()
    {
        if (shared == null)
        {
            shared = started();
        }
        return shared;
    }

    private static PostgresServer started()
    {
        try
        {
            final PostgresServer server = new PostgresServer();
            Runtime.getRuntime().addShutdownHook(new Thread(server::delete, "postgres"));
            server.unpack();
            server.run("initdb", "-D", server.data.toString(), "-U", USER, "-A", "trust", "-E", "UTF8", "--no-locale",
                "--no-sync");
            server.start();
            return server;
        }
        catch (final IOException e)
        {
            throw new IllegalStateException(e);
        }
    }

    private void unpack() throws IOException
    {
        Files.createDirectory(data);
        final Process tar = new ProcessBuilder("tar", "-x", "-C", home.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD).start();
        try (InputStream packed = PostgresServer.class.getResourceAsStream(ARCHIVE);
            XZInputStream plain = new XZInputStream(packed))
        {
            plain.transferTo(tar.getOutputStream());
            tar.getOutputStream().close();
        }
        require(tar, "tar");
        if (isRoot)
        {
            for (final Path path : List.of(home, data))
            {
                Files.setAttribute(path, "unix:uid", NOBODY);
            }
        }
    }

    /** Starts it, or starts it again. */
    public void start()
    {
        run("pg_ctl", "start", "-w", "-D", data.toString(), "-l", home.resolve("log").toString(), "-o",
            "-p " + port + " -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off " +
            "-c max_wal_size=256MB -c shared_buffers=64MB");
    }

    /** Ends it at once, as a crash does. */
    public void stop()
    {
        run("pg_ctl", "stop", "-w", "-m", "immediate", "-D", data.toString());
    }

    /** Starts it if it is stopped, so that a test that failed leaves it to others as it was. */
    void ensureStarted()
    {
        try (Connection connection = DriverManager.getConnection(url(), USER, null))
        {
            assert connection.isValid(1);
        }
        catch (final SQLException e)
        {
            start();
        }
    }

    /** The URL of a schema that is new. */
    public String newDatabase()
    {
        final String schema = "t" + DATABASES.incrementAndGet();
        try (Connection connection = DriverManager.getConnection(url(), USER, null);
            Statement statement = connection.createStatement())
        {
            statement.execute("CREATE SCHEMA " + schema);
        }
        catch (final SQLException e)
        {
            throw new IllegalStateException(e);
        }
        return url() + "?currentSchema=" + schema;
    }

    private String url()
    {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    }

    private void run(final String program, final String... arguments)
    {
        final List<String> command = new ArrayList<>();
        if (isRoot)
        {
            command.addAll(List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups"));
        }
        command.add(home.resolve("bin").resolve(program).toString());
        command.addAll(Arrays.asList(arguments));
        try
        {
            require(new ProcessBuilder(command)
                .directory(home.toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.appendTo(home.resolve("errors").toFile()))
                .start(), program);
        }
        catch (final IOException e)
        {
            throw new IllegalStateException(e);
        }
    }

    private void require(final Process process, final String name)
    {
        try
        {
            if (process.waitFor() != 0)
            {
                throw new IllegalStateException(name + " failed; see " + home);
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void delete()
    {
        try
        {
            stop();
        }
        catch (final IllegalStateException e)
        {
            // it was stopped
        }
        org.agrona.IoUtil.delete(home.toFile(), true);
    }
}
